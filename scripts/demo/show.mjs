import pc from 'picocolors';

const write = (text = '') => process.stdout.write(`${text}\n`);

const colours = {
  facts: pc.cyan,
  preferences: pc.magenta,
  emotions: pc.yellow,
  temporal_events: pc.green,
  episodes: pc.dim,
};

const typeOf = (memory) => memory.type.replace(/^MEMORY_TYPE_/, '').toLowerCase();
const label = (memory) => {
  const type = typeOf(memory);
  return (colours[type] ?? pc.white)(type.replace('_', ' ').padEnd(15));
};
const inMs = (ms) => pc.dim(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
const oneLine = (text, max = 100) => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};

export function title(text, note = '') {
  write();
  write(`${pc.bold(text)}  ${pc.dim(note)}`);
}

export function turn({ role, content }) {
  write(
    `  ${role === 'user' ? pc.bold('Mira     ') : pc.dim('assistant')}  ${role === 'user' ? content : pc.dim(content)}`,
  );
}

export function ingested({ memories_created: created, ms }) {
  write(`  ${pc.green('→')} ${created} memories, ${inMs(ms)}`);
}

/** What is known, in the user's own words beside ours. */
export function remembered(memory) {
  write(`  ${label(memory)} ${memory.content}  ${pc.dim(`${Math.round(memory.confidence * 100)} %${dateOf(memory)}`)}`);
  const [evidence] = memory.evidence;
  if (evidence) write(`  ${' '.repeat(15)} ${pc.dim(`“${oneLine(evidence.quote)}”`)}`);
}

export function superseded(old, successor) {
  write(`  ${pc.strikethrough(pc.dim(oneLine(old.content)))}`);
  write(`  ${pc.green('→')} ${successor ? oneLine(successor.content) : pc.dim('a later statement')}`);
}

export function recalled(question, { memories, ms }) {
  write(`  ${pc.bold(`“${question}”`)}  ${inMs(ms)}`);
  listed(memories, ({ category }) => (category === 'instruction' ? 'always' : ''));
}

export function arrived({ memories, total_tokens: tokens, totalTokens = tokens, ms }) {
  write(
    `  ${pc.green('←')} a bundle of ${memories.length} memories, ${totalTokens} tokens, ${inMs(ms)} after it was said`,
  );
  listed(memories, ({ reason }) => reasons[reason] ?? '');
}

/** Why a memory was sent before anybody asked, where that is not what was just said. */
const reasons = { REASON_STANDING: 'always', REASON_LEARNED: 'was of use then', REASON_DUE: 'is due' };

export const note = (text) => write(`  ${pc.dim(text)}`);
export const blank = () => write();

/** Best first; what always holds comes before that. */
function listed(memories, whyOf) {
  if (memories.length === 0) write(`    ${pc.dim('nothing')}`);
  for (const memory of memories) {
    const why = whyOf(memory);
    write(`    ${label(memory)} ${oneLine(memory.content)}${why ? pc.dim(`  ${why}`) : ''}`);
  }
}

const dateOf = ({ event_start: start }) => (start ? `, ${start.slice(0, 10)}` : '');
