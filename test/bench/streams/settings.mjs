import { parseArgs } from 'node:util';

export const parts = ['latency', 'fan-out', 'endurance'];

export const help = `npm run bench:streams -- [options]

  --quick          a smoke run: fewer streams, seconds instead of minutes, budgets printed but not enforced
  --only <part>    ${parts.join(', ')}; may be given more than once
  --streams <n>    streams of each part (1,000; 5,000 for endurance)
  --rate <n>       messages a second of all streams together (latency: 10; endurance: 20)
  --minutes <n>    of endurance (10)
  --keep           leave the temporary folder, with the data and the log of the service
  --help
`;

const full = {
  latency: { streams: 1_000, users: 40, turns: 80, rate: 10, rounds: 5, seconds: 20 },
  'fan-out': { streams: 1_000, rounds: 5, seconds: 5 },
  endurance: {
    streams: 5_000,
    users: 100,
    turns: 20,
    rate: 20,
    minutes: 10,
    visitEveryMs: 20_000,
    forgetEveryMs: 5_000,
  },
  enforced: true,
};
const quick = {
  latency: { streams: 100, users: 5, turns: 20, rate: 4, rounds: 2, seconds: 5 },
  'fan-out': { streams: 300, rounds: 1, seconds: 1 },
  endurance: { streams: 100, users: 5, turns: 10, rate: 4, minutes: 0.5, visitEveryMs: 8_000, forgetEveryMs: 2_000 },
  enforced: false,
};

export function readSettings(args) {
  const number = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const only = { type: 'string', multiple: true };
  const options = { quick: flag, only, streams: number, rate: number, minutes: number, keep: flag, help: flag };
  const { values } = parseArgs({ args, options });
  const wanted = values.only ?? parts;
  const unknown = wanted.find((part) => !parts.includes(part));
  if (unknown) throw wrong(`--only: ${unknown} is none of ${parts.join(', ')}`);
  const settings = { ...structuredClone(values.quick ? quick : full), ...values, wanted };
  for (const name of ['streams', 'rate', 'minutes']) {
    if (values[name] === undefined) continue;
    const value = Number(values[name]);
    if (!(value > 0)) throw wrong(`--${name}: a number above 0`);
    for (const part of parts) if (name in settings[part]) settings[part][name] = value;
  }
  return settings;
}

const wrong = (message) => Object.assign(new Error(message), { code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' });
