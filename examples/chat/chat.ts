import { createInterface } from 'node:readline';
import { NotFoundError, Presage } from '@presage-memory/client';

const help = `A chat in a terminal that knows you the next time. Start the service, then from the checkout:

  PRESAGE_KEY=presage_… npm run example:chat

/memories shows what it remembers, /forget WORDS forgets what says so, /end or the end of the input ends the chat.
Without a model it notes what you state, and answers a question with what a model would be told; for a model set
MODEL_URL (of an OpenAI-compatible API, such as https://api.openai.com/v1), MODEL and MODEL_KEY. USER_ID is who you are.`;
if (process.argv.length > 2) {
  console.log(help);
  process.exit();
}

const { USER_ID: user_id = 'me', MODEL_URL, MODEL = '', MODEL_KEY = '' } = process.env;
const conversation_id = crypto.randomUUID();
const memory = new Presage();
const messages: { role: string; content: string }[] = [];

async function answer(question: string): Promise<string> {
  if (!MODEL_URL) return standIn(question);
  // Standing memories stand first in the block, and what is known by heart is cached by the model's provider.
  const block = await memory.recall(question, { user_id, context_budget: 1_500 }).prompt;
  const content = await ask(MODEL_URL, block, question);
  const turns = [
    { role: 'user', content: question },
    { role: 'assistant', content },
  ];
  messages.push(...turns);
  await memory.conversations.say(conversation_id, turns, { user_id });
  return content;
}

/** What was once said is data: it goes with the user's message, and never into the system's. */
async function ask(url: string, block: string, question: string): Promise<string> {
  const body = {
    model: MODEL,
    messages: [
      { role: 'system', content: 'You are a kind assistant. Use what is remembered of the user where it helps.' },
      ...messages,
      { role: 'user', content: `${block}\n\n${question}` },
    ],
  };
  const headers = { authorization: `Bearer ${MODEL_KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]!.message.content;
}

/** In place of a model: notes what is stated, and answers a question with what it would be told first. */
async function standIn(said: string): Promise<string> {
  // A conversation is remembered once it falls silent; what is told as a document is known with the next answer.
  await memory.remember([{ role: 'user', content: said }], { user_id, conversation_id });
  if (!said.trim().endsWith('?')) return 'Noted.';
  const found = await memory.recall(said, {
    user_id,
    types: ['facts', 'preferences', 'emotions', 'temporal_events'],
    max_results: 3,
  });
  return found.memories.map(({ content }) => content).join(' ') || 'I know nothing of that yet.';
}

async function forget(words: string): Promise<string> {
  const { data } = await memory.memories.list({ user_id, q: words });
  for (const { id } of data)
    await memory.forget(id, { user_id, cascade: 'evidence' }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error; // it went with another
    });
  return `${data.length} memories are gone for good.`;
}

async function memories(): Promise<string> {
  const lines: string[] = [];
  for await (const { type, content } of memory.memories.list({ user_id })) lines.push(`- ${type}: ${content}`);
  return lines.join('\n') || 'Nothing yet.';
}

const input = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
input.prompt();
for await (const line of input) {
  const [, command, rest = ''] = /^\/(\w+) ?(.*)$/.exec(line.trim()) ?? [];
  if (command === 'end' || command === 'quit' || command === 'exit') break;
  if (command === 'memories') console.log(await memories());
  else if (command === 'forget') console.log(await forget(rest));
  else if (command !== undefined) console.log(`There is no /${command}: /memories, /forget WORDS, /end.`);
  else if (line.trim() !== '') console.log(await answer(line));
  input.prompt();
}
input.close();
await memory.conversations.end(conversation_id, { user_id }).catch((error: unknown) => {
  if (!(error instanceof NotFoundError)) throw error; // nothing was said
});
