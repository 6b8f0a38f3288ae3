import { expect, test } from 'vitest';
import { addModelMemories } from '../../../src/domain/extraction/add-model-memories.ts';
import { clausesOf } from '../../../src/domain/extraction/clauses.ts';
import { draftDocument } from '../../../src/domain/extraction/draft-document.ts';
import { extractFrom, turnsOf, typedIn } from './said.ts';

const paris = 'I live in Paris. I work at Renault.';
const statedIn = async (text: string) =>
  (await typedIn(text)).flatMap(({ attribute }) => (attribute ? [`${attribute.name}: ${attribute.value}`] : []));

test.each([
  { case: 'a letter', text: `My aunt wrote, can you draft a reply?\n\nDear Ada,\n${paris}\nLove, Jo` },
  { case: 'a letter in the middle of a turn', text: `Here is her letter.\n\nDear Ada,\n\n${paris}\n\nYours,\nJo` },
  { case: 'a letter without an end', text: `How should I answer?\n\nHi Ada,\n${paris}` },
  { case: 'a text to translate', text: `Translate to German: ${paris}` },
  { case: 'a text to proofread', text: `Could you please proofread this for me?\n\n${paris}` },
  { case: 'a text to be put right', text: `Fix the grammar in this text:\n${paris}` },
  { case: 'a text to rewrite', text: `Please rewrite the following paragraph so that it sounds nicer. ${paris}` },
  { case: 'a text to sum up', text: `Summarise this email:\n\nHi Ada,\n${paris}\nBest regards,\nJo` },
  { case: 'a text to change', text: `Make this sound professional: ${paris}` },
  { case: 'a text above what is asked', text: `${paris}\n\nTranslate this to French please.` },
  { case: 'an example', text: `Write me a monologue. Example:\n${paris}` },
  { case: 'the beginning of a story', text: `Write a short story in the first person:\n${paris}` },
  { case: 'what a mail is to say', text: 'Write an email saying I am sick and I live in Paris.' },
  { case: 'what a poem is about', text: 'Write a poem about how I was ill and I moved to Paris.' },
  { case: 'what a boss is to read', text: 'Email my boss saying I am sick and I live in Paris.' },
  { case: 'a part that is played', text: "Let's pretend I am a spy and I live in Paris." },
  { case: 'a message of somebody else', text: `He texted me: ${paris}` },
  { case: 'a mail that came', text: `I got an email from Jo:\n\n${paris}` },
  { case: 'a quotation', text: `She said: "I love cheese. ${paris}"` },
  { case: 'a quotation of two halves', text: 'He said "I love cheese and I live in Paris."' },
  { case: 'a quotation in single marks', text: "Is this right: 'I don't love cheese and I live in Paris.'?" },
  { case: 'a quotation in curved marks', text: `What does ‘I live in Paris’ mean? ‘${paris}’` },
  { case: 'a quotation before who said it', text: '“I live in Paris” is what he said.' },
])('nothing is known of the speaker from $case', async ({ text }) => expect(await statedIn(text)).toEqual([]));

test.each([
  { case: 'what is announced', text: `Update: ${paris}` },
  { case: 'what is put right about oneself', text: `Correct the record: it was wrong. ${paris}` },
  { case: 'what is asked for about oneself', text: `Can you write an email to my landlord? ${paris}` },
  { case: 'what a text of oneself is made from', text: `Write a cover letter using these facts:\n${paris}` },
  { case: 'what a profile is made from', text: `Write me a bio:\n${paris}` },
  { case: 'a greeting and thanks', text: `Hi Claude,\n${paris}\nThanks,\nAda` },
  { case: 'a letter that is all of its turn', text: `Dear team,\n${paris}\nKind regards,\nAda Byron` },
  {
    case: 'a letter that asks for another one',
    text: `Hi there,\n${paris} Could you draft a letter to my landlord?\nKind regards\nAda`,
  },
  { case: 'what is to be remembered', text: `Please write this down. ${paris}` },
  { case: 'one’s own words', text: `As I said: it is so. ${paris}` },
  { case: 'an apostrophe', text: `I'm at my parents' house, it's 'fine'. ${paris}` },
  { case: 'inches', text: `I own an 8" screen and a 6" phone. ${paris}` },
  { case: 'a trade', text: `I run a blog and translate novels.\n${paris}` },
  { case: 'a task of one’s own', text: `I have to proofread the thesis by Monday.\n${paris}` },
  { case: 'the line after a phrase to translate', text: `Translate 'good morning' into French.\n${paris}` },
  { case: 'the line after a text in code', text: `Edit this:\n\`\`\`\nI live in York.\n\`\`\`\n${paris}` },
  { case: 'the words after a letter', text: `Draft a reply.\n\nDear Ada,\nI live in York.\nLove, Jo\n\n${paris}` },
  { case: 'the line below what somebody said', text: `My doctor said: I must rest.\n${paris}` },
  { case: 'a new paragraph to the reader', text: `Translate: I live in York.\n\nThanks! ${paris}` },
])('$case leaves the speaker’s own statements', async ({ text }) =>
  expect(await statedIn(text)).toEqual(['residence: paris', 'employer: renault']),
);

test.each(['My favourite song is "I will survive".', '"I Will Survive" is my favourite song.'])(
  'a title is part of what is said: %s',
  (text) => expect(clausesOf(text)).toMatchObject([{ text }]),
);

test('the text itself is kept as it was said', async () => {
  const text = `Translate this:\n${paris}`;
  expect((await extractFrom([text])).candidates).toMatchObject([{ type: 'episodes', content: text }]);
});

test('a passage that states something goes with it only where it holds no text of others', async () => {
  const { candidates } = await extractFrom(["I live in Leeds.\n\nTranslate: 'I love rain.'"]);
  expect(candidates.find(({ type }) => type === 'episodes')?.statesOnly).toBeUndefined();
});

test('a model may take a letter’s news, and not its “I”', async () => {
  const said = ['Can you draft a reply?\n\nDear Ada,\nI live in Paris. The flat is tiny.\nLove, Jo'];
  const memories = ['I live in Paris.', 'The flat is tiny.'].map((quote) => ({
    type: 'facts' as const,
    category: 'places' as const,
    content: quote,
    confidence: 0.9,
    turns: [0],
    quote,
    entities: [],
    event_start: null,
    event_end: null,
    due_at: null,
  }));
  const { candidates } = addModelMemories(
    await extractFrom(said, { mode: 'long-range' }),
    memories,
    turnsOf(said),
    0.7,
  );
  expect(candidates.filter(({ type }) => type === 'facts').map(({ quote }) => quote)).toEqual(['The flat is tiny.']);
});

test('a long turn of line breaks, quotation marks and requests is read in no time', () => {
  const started = performance.now();
  for (const piece of ['\n', '"', "'a ", 'write a ', 'Translate this\n', 'please ', '“', 'Dear Ada,\n', 'I said: '])
    draftDocument(turnsOf([piece.repeat(20_000 / piece.length)]), { documentType: 'ai-chat-conversation' });
  expect(performance.now() - started).toBeLessThan(5_000);
});
