import { parseArgs } from 'node:util';

export const help = `npm run bench -- [options]

  --quick          a smoke run: 1,000 memories, few calls, budgets printed but not enforced
  --memories <n>   memories of the one user (10,000; budgets hold for that many)
  --keep           leave the temporary folder, with the data and the log of the service
  --help
`;

const full = {
  memories: 10_000,
  ingests: 200,
  fetches: 300,
  accurate: 100,
  rounds: 10,
  warmUps: 20,
  ingestWarmUps: 150,
  enforced: true,
};
const quick = {
  memories: 1_000,
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
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  };
  const { values } = parseArgs({ args, options });
  const settings = { ...(values.quick ? quick : full), keep: values.keep, help: values.help };
  if (values.memories !== undefined) settings.memories = Number(values.memories);
  if (!Number.isInteger(settings.memories) || settings.memories < 100) {
    throw Object.assign(new Error('--memories: a number, 100 or more'), {
      code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
    });
  }
  return settings;
}
