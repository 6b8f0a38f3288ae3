import { parseArgs } from 'node:util';

export const help = `npm run bench -- [options]

  --quick          a smoke run: 1,000 memories, few calls, budgets printed but not enforced
  --memories <n>   memories of the one user (10,000; budgets hold for that many)
  --users <n>      as many users beside, of 1,000 memories each (none; 90 make 100,000 in all); one of them is asked too
  --postgres       on a Postgres of its own, by an api and two workers; vectors in it
  --weaviate       the same with vectors in a Weaviate of its own, which scripts/weaviate.sh builds
  --keep           leave the temporary folder, with the data and the log of the service
  --help
`;

const full = {
  memories: 10_000,
  each: 1_000,
  ingests: 200,
  fetches: 300,
  accurate: 100,
  rounds: 10,
  warmUps: 150, // V8 compiles what runs often for some seconds, on threads that the calls need
  ingestWarmUps: 150,
  enforced: true,
};
const quick = {
  memories: 1_000,
  each: 200,
  ingests: 40,
  fetches: 60,
  accurate: 20,
  rounds: 4,
  warmUps: 10,
  ingestWarmUps: 20,
  enforced: false,
};

export function readSettings(args) {
  const options = {
    quick: { type: 'boolean', default: false },
    memories: { type: 'string' },
    users: { type: 'string', default: '0' },
    postgres: { type: 'boolean', default: false },
    weaviate: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  };
  const { values } = parseArgs({ args, options });
  const { keep, help: isHelp, postgres, weaviate } = values;
  const settings = { ...(values.quick ? quick : full), keep, help: isHelp, postgres, weaviate };
  if (values.memories !== undefined) settings.memories = Number(values.memories);
  settings.users = Number(values.users);
  if (!Number.isInteger(settings.memories) || settings.memories < 100) throw wrong('--memories: a number, 100 or more');
  if (!Number.isInteger(settings.users) || settings.users < 0) throw wrong('--users: a number, 0 or more');
  return settings;
}

const wrong = (message) => Object.assign(new Error(message), { code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' });
