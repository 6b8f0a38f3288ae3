import type { Command } from 'commander';
import type { z } from 'zod';
import type { ReceiptRecord } from '../transports/rest/records.ts';
import { toQueryString } from './api.ts';
import type { CommandSession, RunCommand } from './command-session.ts';
import { addSubjectOptions, subjectParameters, type SubjectOptions } from './options.ts';

type Receipt = z.output<typeof ReceiptRecord>;

/** Forgets documents. */
export function addDocumentCommands(program: Command, run: RunCommand): void {
  const documents = program.command('documents').description('forget documents');
  addSubjectOptions(documents.command('forget <document-id>'))
    .description('remove a document, by your own id or its doc_… id, and the memories that only it states')
    .action((id: string, about: SubjectOptions) =>
      run(async (session) => {
        await session.confirm(`Forget the document "${id}" and what only it states for good?`);
        const path = `/v1/documents/${encodeURIComponent(id)}${toQueryString(subjectParameters(about))}`;
        await sendDeletion(session, path);
      }),
    );
}

/** Shows what a deletion removed. */
export function addReceiptCommand(program: Command, run: RunCommand): void {
  program
    .command('receipt <receipt-id>')
    .description('show what a deletion removed, and which store has yet to confirm it')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const receipt = await agent.get<Receipt>(`/v1/receipts/${encodeURIComponent(id)}`);
        tell(receipt, () => describe(receipt));
      }),
    );
}

/** Forgets customers. */
export function addCustomerCommands(program: Command, run: RunCommand): void {
  const customers = program.command('customers').description('forget customers');
  customers
    .command('forget <customer-id>')
    .description('remove every document and memory of a customer and of its users within it, for good')
    .action((customer: string) =>
      run(async (session) => {
        await session.confirm(`Forget everything of the customer "${customer}" and of its users within it for good?`);
        session.progress(`everything of ${customer} is being forgotten …`);
        await sendDeletion(session, `/v1/customers/${encodeURIComponent(customer)}`);
      }),
    );
}

/** Asks for a deletion, and tells what it removed. */
export async function sendDeletion({ agent, tell }: CommandSession, path: string): Promise<void> {
  const done = await agent.send<{ receipt: Receipt }>('DELETE', path);
  tell(done, () => describe(done.receipt));
}

function describe(receipt: Receipt): string {
  const { memory_ids: memories, document_ids: documents, pending, also_stated_in: also } = receipt;
  return [
    `Forgotten: memories ${memories.length}, documents ${documents.length}. Receipt: ${receipt.receipt_id}`,
    ...(pending.length ? [`Still to be confirmed by ${pending.join(', ')}.`] : []),
    ...(also.memory_ids.length
      ? [
          `The same turns are also cited by ${also.memory_ids.join(', ')}, which stay: forget them one by one if need be.`,
        ]
      : []),
  ].join('\n');
}
