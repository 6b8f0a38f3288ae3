import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { problemOf } from '../api/outcome.ts';
import type { MemoryDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { Confirmation, Dialog } from '../parts/dialog.tsx';
import { Choice, Field, valueOf } from '../parts/fields.tsx';
import { Button, Notice } from '../parts/parts.tsx';
import type { ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';
import {
  ConfirmOutdated,
  CorrectMemory,
  ForgetMemory,
  RejectOutdated,
  RestoreMemory,
  UndoSupersede,
} from './memory-operations.ts';

type Memory = NonNullable<MemoryDetailQuery['memory']>;

/** What may be done with a memory in its state. */
export function MemoryActions({
  memory,
  onChange,
  onForgotten,
}: {
  memory: Memory;
  onChange: () => void;
  onForgotten: (receipt: ReceiptFields) => void;
}) {
  const instance = useInstance();
  const viewer = useViewer();
  const [, undo] = useMutation(UndoSupersede);
  const [, restore] = useMutation(RestoreMemory);
  const [, confirmOutdated] = useMutation(ConfirmOutdated);
  const [, rejectOutdated] = useMutation(RejectOutdated);
  const [, forget] = useMutation(ForgetMemory);
  const [isAsking, setAsking] = useState(false);
  const [isCorrecting, setCorrecting] = useState(false);
  const [cascade, setCascade] = useState(false);
  const [problem, setProblem] = useState<string>();
  const of = { instance, id: memory.id };

  async function bringBack() {
    const answer = memory.status === 'ARCHIVED' ? await restore(of) : await undo(of);
    setProblem(problemOf(answer, 'Memory'));
    onChange();
  }
  async function decide(isOutdated: boolean) {
    const answer = isOutdated ? await confirmOutdated(of) : await rejectOutdated(of);
    setProblem(problemOf(answer, 'Memory'));
    onChange();
  }
  async function forgetForGood() {
    const answer = await forget({ ...of, cascade });
    setProblem(problemOf(answer, 'DeletionReceipt'));
    if (answer.data?.forget.__typename === 'DeletionReceipt') onForgotten(answer.data.forget);
  }
  return (
    <>
      {memory.status === 'SUPERSEDED' && <Button onClick={() => void bringBack()}>{text.memories.undo}</Button>}
      {memory.status === 'ARCHIVED' && <Button onClick={() => void bringBack()}>{text.memories.restore}</Button>}
      {memory.possiblyOutdatedBy && (
        <>
          <Button onClick={() => void decide(true)}>{text.memories.isReplaced}</Button>
          <Button onClick={() => void decide(false)}>{text.memories.stillHolds}</Button>
        </>
      )}
      {viewer.readsContent && <Button onClick={() => setCorrecting(true)}>{text.memories.correct}</Button>}
      <Button kind="danger" onClick={() => setAsking(true)}>
        {text.memories.forget}
      </Button>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Correction memory={memory} isOpen={isCorrecting} onClose={() => setCorrecting(false)} onDone={onChange} />
      <Confirmation
        title={text.memories.forgetTitle}
        help={text.memories.forgetHelp}
        label={text.memories.forgetSubmit}
        isOpen={isAsking}
        onConfirm={() => void forgetForGood()}
        onClose={() => {
          setAsking(false);
          setCascade(false); // each time it is asked anew
        }}
      >
        <label>
          <input type="checkbox" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />{' '}
          {text.memories.cascade}
        </label>
      </Confirmation>
    </>
  );
}

/** An episode is what was said: it stays one, and nothing else becomes one. */
const statementTypes = ['FACTS', 'PREFERENCES', 'EMOTIONS', 'TEMPORAL_EVENTS'] as const satisfies Memory['type'][];

/** Gives a memory other words or another type; where it was said stays as it is. */
function Correction({
  memory,
  isOpen,
  onClose,
  onDone,
}: {
  memory: Memory;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const instance = useInstance();
  const [, correct] = useMutation(CorrectMemory);
  const [problem, setProblem] = useState<string>();
  const [type, setType] = useState<Memory['type'] | ''>(memory.type);
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [content, reason] = [valueOf(form, 'content').trim(), valueOf(form, 'reason').trim()];
    const input = {
      memoryId: memory.id,
      // A record keeps the space around it and its line ends, which a form does not: only other words are sent.
      ...(content === memory.content?.replaceAll('\r\n', '\n').trim() ? {} : { content }),
      ...(type === '' || type === memory.type ? {} : { type }),
      ...(reason ? { reason } : {}),
    };
    const failed = problemOf(await correct({ instance, input }), 'Memory');
    setProblem(failed);
    if (failed) return;
    onClose();
    onDone();
  }
  return (
    <Dialog title={text.memories.correctTitle} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void save(event)}>
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Field label={text.memories.content} help={text.memories.correctHelp}>
          <textarea className="input" name="content" required defaultValue={memory.content} />
        </Field>
        {memory.type !== 'EPISODES' && (
          <Choice label={text.memories.type} value={type} options={statementTypes} onChange={setType} any={null} />
        )}
        <Field label={text.memories.correctReason}>
          <input className="input" name="reason" maxLength={1_000} />
        </Field>
        <div className="actions">
          <Button kind="primary" type="submit">
            {text.common.save}
          </Button>
          <Button onClick={onClose}>{text.common.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
