import type { Command } from 'commander';
import { doctorChecks, type CheckResult } from './doctor-checks.ts';
import { AlreadyReportedError, type RunCommand, type CommandSession } from './command-session.ts';
import { formatTable } from './table.ts';

interface CheckReport {
  readonly check: string;
  /** `skipped`: an earlier check failed, and this one would only say so again. */
  readonly state: CheckResult['state'] | 'skipped';
  readonly detail: string;
}

/** `presage doctor`: whether this machine reaches a service that works, and if not, what to do. */
export function addDoctorCommand(program: Command, run: RunCommand, variables: NodeJS.ProcessEnv): void {
  program
    .command('doctor')
    .description(
      'look at addresses, versions, clock, database, keys, model, vectors and disk; exits with 1 when one fails',
    )
    .action(() =>
      run(async (session) => {
        const findings = await examine(session, variables);
        const isWell = findings.every(({ state }) => state !== 'fail');
        session.tell({ ok: isWell, findings }, () =>
          formatTable(findings.map(({ check, state, detail }) => ({ check, state, detail }))),
        );
        if (!isWell) throw new AlreadyReportedError();
      }),
    );
}

async function examine(session: CommandSession, variables: NodeJS.ProcessEnv): Promise<CheckReport[]> {
  const findings: CheckReport[] = [];
  const passed = new Set<string>();
  for (const [check, { needs, look }] of Object.entries(doctorChecks)) {
    session.progress(`${check} …`);
    if (needs && !passed.has(needs)) {
      findings.push({ check, state: 'skipped', detail: `not looked at, since the check of the ${needs} failed` });
      continue;
    }
    const found = await look(session, variables).catch(failed);
    if (found.state !== 'fail') passed.add(check);
    findings.push({ check, ...found });
  }
  return findings;
}

const failed = (error: unknown): CheckResult => ({
  state: 'fail',
  detail: (error as Error).message.replaceAll('\n', ' '),
});
