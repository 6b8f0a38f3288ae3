import { startChild } from './child.mjs';
import { startChatting } from './people.mjs';

/**
 * From a signal to its answer, with so many streams open: of the service, and of a bare grpc-js echo that answers with
 * bundles of the service, in turns. Both have their streams open all the time.
 *
 * @returns per server {bundles, pongs}: milliseconds; unanswered: how many answers did not come
 */
export async function measureLatency({ streams, users, turns, rate, rounds, seconds }, { service, key, opened, tell }) {
  const bare = startChild('bare-server.mjs');
  opened.push(bare.kill);
  const people = await startChatting(service.client, { users, turns, tell });
  const talkers = { service: startChild('clients.mjs'), bare: startChild('clients.mjs') };
  for (const { kill } of Object.values(talkers)) opened.push(kill);
  const sessions = Array.from({ length: streams }, (_, n) => ({ userId: people[n % people.length] }));
  tell(`latency: opening ${streams} streams`);
  await talkers.service.ask('open', { address: service.grpcAddress, key, sessions });
  await talkers.service.ask('talk', { perSecond: rate, seconds: Math.ceil(seconds / 2) }); // warms up
  const bundles = await talkers.service.ask('sample', { count: 20 });
  const address = await bare.ask('listen', { mode: 'echo', bundles });
  await talkers.bare.ask('open', { address, key, sessions });
  const times = { service: { bundles: [], pongs: [], unanswered: 0 }, bare: { bundles: [], pongs: [], unanswered: 0 } };
  for (let round = 0; round < rounds; round++) {
    for (const [name, talker] of Object.entries(talkers)) {
      const told = await talker.ask('talk', { perSecond: rate, seconds });
      times[name].bundles.push(...told.bundles);
      times[name].pongs.push(...told.pongs);
      times[name].unanswered += told.unanswered;
      tell(`latency: round ${round + 1} of ${rounds}, ${name}: ${told.bundles.length} bundles`);
    }
  }
  for (const { kill } of Object.values(talkers)) await kill();
  return times;
}
