import { useState } from 'react';
import { useClient, useMutation } from 'urql';
import { exportUser } from '../api/export-user.ts';
import { messageOf, problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { Confirmation } from '../parts/dialog.tsx';
import { Button, Notice } from '../parts/parts.tsx';
import type { ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

const ForgetUser = graphql(`
  mutation ForgetUser($instance: ID!, $user: String!) {
    forgetUser(instanceId: $instance, userId: $user) {
      __typename
      ... on Problem {
        message
      }
      ...ReceiptFields
    }
  }
`);

/** Takes along what is kept of a user, or forgets them for good. */
export function UserActions({
  userId,
  onForgotten,
}: {
  userId: string;
  onForgotten: (receipt: ReceiptFields) => void;
}) {
  const instance = useInstance();
  const viewer = useViewer();
  const client = useClient();
  const [, forget] = useMutation(ForgetUser);
  const [isAsking, setAsking] = useState(false);
  const [exported, setExported] = useState<number>();
  const [problem, setProblem] = useState<string>();

  async function download() {
    setProblem(undefined);
    setExported(0);
    try {
      save(`${userId}.ndjson`, await exportUser(client, { instance, userId }, setExported));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setExported(undefined);
    }
  }
  async function forgetForGood() {
    const answer = await forget({ instance, user: userId });
    setProblem(answer.error ? messageOf(answer.error) : problemOf(answer, 'DeletionReceipt'));
    if (answer.data?.forgetUser.__typename === 'DeletionReceipt') onForgotten(answer.data.forgetUser);
  }
  return (
    <>
      {viewer.readsContent && (
        <Button disabled={exported !== undefined} onClick={() => void download()}>
          {exported === undefined ? text.users.export : text.users.exporting(exported)}
        </Button>
      )}
      <Button kind="danger" onClick={() => setAsking(true)}>
        {text.users.forget}
      </Button>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Confirmation
        title={text.users.forgetTitle(userId)}
        help={text.users.forgetHelp}
        label={text.memories.forgetSubmit}
        isOpen={isAsking}
        onConfirm={() => void forgetForGood()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Has the browser keep lines as a file. */
function save(name: string, lines: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
