// `npm run demo`: a short conversation, played against the running server, and what Presage makes of it.
import { randomBytes } from 'node:crypto';
import { DemoError, openService } from './demo/service.mjs';
import { help, readSettings } from './demo/settings.mjs';
import * as show from './demo/show.mjs';
import { chats, questions, said } from './demo/story.mjs';
import { anticipate } from './demo/stream.mjs';

try {
  const settings = await readSettings();
  if (settings.help) process.stdout.write(help);
  else await play(settings);
} catch (error) {
  const isMistyped = error.code?.startsWith('ERR_PARSE_ARGS');
  const isOurs = error instanceof DemoError || isMistyped;
  process.stderr.write(`\n${isOurs ? error.message : error.stack}\n`);
  if (isMistyped) process.stderr.write('"npm run demo -- --help" tells what it takes.\n');
  process.exitCode = 1;
}

async function play(settings) {
  const service = openService(settings);
  const userId = `demo-${randomBytes(4).toString('hex')}`;

  await service.memories(userId); // tells of a server that is not there before anything is shown
  for (const chat of chats) {
    show.title(chat.title, `${chat.turns.length} turns`);
    for (const turn of chat.turns) show.turn(turn);
    show.ingested(await service.remember(userId, chat.turns));
  }

  const { active, superseded } = await service.memories(userId);
  const typed = active.filter(({ type }) => type !== 'episodes').toReversed(); // as it was told: the first comes first
  show.title('What is remembered', 'with its confidence, and the words it was taken from');
  for (const memory of typed) show.remembered(memory);
  show.note(`and ${active.length - typed.length} episodes: what was said, word for word`);

  show.title('What a later statement replaced', 'kept for questions about the past');
  for (const old of superseded.filter(({ type }) => type !== 'episodes')) {
    show.superseded(
      old,
      active.find(({ id }) => id === old.superseded_by),
    );
  }

  show.title('What is recalled', `POST ${settings.baseUrl}/v1/context/fetch`);
  for (const question of questions) show.recalled(question, await service.recall(userId, question));

  show.title('What arrives before anybody asks', `gRPC ${settings.grpcAddress}`);
  show.turn({ role: 'user', content: said });
  show.arrived(await anticipate(settings, userId, said));

  show.blank();
  show.note(`All of this belongs to the user ${userId}. To forget it:`);
  show.note(`curl -X DELETE ${settings.baseUrl}/v1/users/${userId} -H "Authorization: Bearer <key>"`);
}
