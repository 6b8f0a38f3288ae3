import { expect, test } from 'vitest';
import { categoryOf } from '../../../src/domain/extraction/categories.ts';
import { clausesOf } from '../../../src/domain/extraction/clauses.ts';
import { draftDocument } from '../../../src/domain/extraction/draft-document.ts';
import { selectCandidates } from '../../../src/domain/extraction/select-candidates.ts';
import { toThirdPerson } from '../../../src/domain/extraction/third-person.ts';
import { extractFrom, turnsOf, typedIn } from './said.ts';

/** The statements of a text that the model is asked about. */
const drafted = (text: string) =>
  draftDocument(turnsOf([text]), { documentType: 'ai-chat-conversation' }).turns.flatMap(({ statements }) =>
    statements.map((statement) => statement.text),
  );

test.each([
  ['I grew up in Tromsø.', 'facts', 'identity'],
  ['I am allergic to walnuts.', 'facts', 'health'],
  ['My cousin Jorun runs a bakery in Graz.', 'facts', 'relations'],
  ['I work as a piano tuner.', 'facts', 'work'],
  ['I prefer trains to buses.', 'preferences', 'likes'],
  ['I cannot stand loud restaurants.', 'preferences', 'dislikes'],
  ['Never call me before nine.', 'preferences', 'instruction'],
  ['From now on, write my reports in Dutch.', 'preferences', 'instruction'],
  ['I felt terribly lonely after the move.', 'emotions', 'places'],
  ['The dentist is on Thursday at nine.', 'temporal_events', 'health'],
])('"%s" is of %s, %s', async (text, type, category) => {
  const [found] = await typedIn(text);
  expect(found).toMatchObject({ type, category, quote: text });
});

test.each([
  { case: 'a third person', text: 'my sister Ada works nights at the hospital', holds: 'Ada' },
  { case: 'a thing of one’s own', text: "our boiler's a Vaillant from 2011", holds: 'Vaillant' },
  { case: 'a dropped subject', text: 'training box: two 4090s, ubuntu 22.04', holds: '4090' },
  { case: 'an order in everyday form', text: 'bf16 always from now on', holds: 'bf16' },
  { case: 'a lead-in', text: "Oh and I can't stand cottage cheese", holds: 'cottage cheese' },
])('everyday words are kept: $case', async ({ text, holds }) => {
  const [found] = await typedIn(text);
  expect(found?.content).toContain(holds);
  expect(found?.quote).toBe(text);
});

test.each([
  { case: 'a question', text: 'Do I prefer tea?' },
  { case: 'a request for now', text: 'Can you recommend a book about rowing?' },
  { case: 'one order', text: 'Write a poem about the sea.' },
  { case: 'courtesy', text: 'Happy to help with that.' },
  { case: 'a momentary state', text: 'flour on my hands, can you repeat step 2?' },
  { case: 'general knowledge', text: 'Water boils at 100 degrees.' },
  { case: 'code', text: '```\nI live in Graz.\n```' },
  { case: 'code between tildes', text: '~~~ts\nI live in Graz.\n~~~' },
  { case: 'what is only imagined', text: 'If I lived in Graz I would have a dog.' },
  { case: 'what would be needed', text: "if i do the night race in may i'd need a new lamp" },
  { case: 'an order for now, in German', text: 'Übersetz mir das ins Englische' },
  { case: 'an order for now, with a verb in full', text: 'Erkläre uns bitte, wie Joins gehen' },
  { case: 'an order for now, in French', text: 'Écris-moi un mot pour ma mère' },
  { case: 'an order for now, in Spanish', text: 'tradúceme esto al inglés' },
  { case: 'the sheet of a character', text: 'HP 34, AC 15, STR 12' },
  { case: 'what is taken back at once', text: 'My dentist is in Graz. No wait.' },
  { case: 'what is taken back before a colon', text: 'Olga hace judo martes y jueves. No, espera: solo uno.' },
  { case: 'a joke', text: 'I own a yacht. Haha, just kidding.' },
  { case: 'a joke in German', text: 'Ich habe eine Yacht. War nur Spaß!' },
  { case: 'a joke in Spanish', text: 'Tengo un yate. Es broma, jaja.' },
  { case: 'a joke in French', text: "J'ai un yacht. Je plaisante !" },
  { case: 'an order that ends in laughter', text: "Don't tell my wife Kasia about the surprise, haha." },
  {
    case: 'advice that somebody else holds',
    text: "My sister swears gluten is poison and I should stop eating bread, but that's her opinion.",
  },
])('$case is no memory', async ({ text }) => expect(await typedIn(text)).toEqual([]));

test.each([
  ['The optician is on March 9. Wait, no, the 11th.', 'The optician is on March 11th.'],
  ['We sail on May 3. Scratch that, May 5.', 'We sail on May 5.'],
  ['The budget for the fence is 900. Actually no, 700.', 'The budget for the fence is 700.'],
  ['I take 10 mg of bisoprolol. Sorry, 20 mg.', 'I take 20 mg of bisoprolol.'],
  ['My cousin Jorun moved to Graz. No wait, to Linz.', 'My cousin Jorun moved to Linz.'],
  ['My choir meets on Tuesday, no wait, Wednesday.', 'My choir meets on Wednesday'],
  ['Der Zug fährt am 3. Januar. Quatsch, am 4.', 'Der Zug fährt am 4. Januar.'],
  ['La cita es el 9 de marzo. No, perdón, el 10.', 'La cita es el 10 de marzo.'],
  ['My favourite colour is green. No wait, blue.', 'My favourite colour is blue.'],
  ["My favourite colour is green. Wait, no, it's blue.", 'My favourite colour is blue.'],
  ['Meine Lieblingsfarbe ist grün. Quatsch, blau.', 'Meine Lieblingsfarbe ist blau.'],
  ['Mi color favorito es el verde. No, perdón, el azul.', 'Mi color favorito es el azul.'],
  ['Ma couleur préférée est le vert. Non, pardon, le bleu.', 'Ma couleur préférée est le bleu.'],
  ['I ran 5 km in 30 minutes. Sorry, 6 km.', 'I ran 6 km in 30 minutes.'],
  ['The meeting is on December 9 at 4. No, at 5.', 'The meeting is on December 9 at 5.'],
  [
    'We sail from the 12th to the 19th of May. No wait, the 10th to the 17th.',
    'We sail from the 10th to the 17th of May.',
  ],
  ['Del 12 al 19 de octubre. No, perdón, del 10 al 17.', 'Del 10 al 17 de octubre.'],
  ['Ich bin vom 3. bis 9. Mai weg. Quatsch, vom 4. bis 10.', 'Ich bin vom 4. bis 10. Mai weg.'],
  ['Our van runs firmware 3.1 since Friday. Sorry no, 3.0, wrong van.', 'Our van runs firmware 3.0 since Friday.'],
  ['The roses, no, peonies I mean, need cutting back.', 'The peonies need cutting back.'],
  ['Die Rosen, nee, Pfingstrosen mein ich, müssen weg.', 'Die Pfingstrosen müssen weg.'],
  ['Olga tiene judo el lunes. No, espera: el martes.', 'Olga tiene judo el martes.'],
  ['Auf keinen Fall Linz… nee warte, in Linz ist ja die Uni.', 'nee warte, in Linz ist ja die Uni.'],
])('a value that is corrected at once holds as corrected: "%s"', (text, holding) =>
  expect(drafted(text)).toEqual([holding]),
);

test.each([
  ['((write two lines at most. I read on a watch))', ['write two lines at most.', 'I read on a watch']],
  ['(By the way, I am vegan.)', ['I am vegan.']],
  ['My boots are a 43 (wide).', ['My boots are a 43 (wide).']],
  ['I drink tea all day :)', ['I drink tea all day :)']],
])('an aside is kept without its brackets: "%s"', (text, kept) => expect(drafted(text)).toEqual(kept));

test('an answer is kept from its first word, whatever else its speaker goes on to say', async () => {
  const [kept] = await typedIn(
    ['assistant', 'Lessons at six, as last term?'],
    'Eight, if you please, I have taken evening shifts.',
  );
  expect(kept?.content).toBe('Lessons at six, as last term? Eight, if you please, I have taken evening shifts.');
});

test.each([
  ["I'm allergic to walnuts, please remember that.", "I'm allergic to walnuts."],
  ['my wifi password is heron41, remember that please', 'my wifi password is heron41'],
  ['Remember that my locker number is 88.', 'my locker number is 88.'],
  ['Remember my locker number is 88.', 'my locker number is 88.'],
  ['Can you remember that my locker number is 88?', 'my locker number is 88.'],
  ['My locker number is 88. Please remember it.', 'My locker number is 88.'],
  ['Vergiss bitte nicht, dass ich keine Nüsse esse.', 'ich esse keine Nüsse.'],
  ['Merk dir, dass ich in Graz arbeiten will.', 'ich will in Graz arbeiten.'],
  ['Merk dir: Mein Spind hat die Nummer 88.', 'Mein Spind hat die Nummer 88.'],
  ['Mein Spind hat die Nummer 88, merk dir das bitte.', 'Mein Spind hat die Nummer 88.'],
  ['Recuerda que mi taquilla es la 88.', 'mi taquilla es la 88.'],
  ['Soy celíaco, no lo olvides por favor.', 'Soy celíaco.'],
  ["N'oublie pas que je suis allergique aux noix.", 'je suis allergique aux noix.'],
  ["Souviens-toi qu'on habite à Lyon.", 'on habite à Lyon.'],
])('what somebody asks to remember is kept without the request: "%s"', async (text, content) => {
  const found = await typedIn(text);
  expect(found.map((each) => each.content)).toEqual([content]);
});

test.each([
  ['Merk dir, dass ich in Graz wohne und Katzen habe.', 'ich in Graz wohne und Katzen habe.'],
  ['Merk dir, dass mein Hund Rex heißt und drei ist.', 'mein Hund Rex heißt und drei ist.'],
  ['Merk dir, dass wir am Montag umziehen.', 'wir am Montag umziehen.'],
  ['Merk dir, dass ich um sechs aufstehe.', 'ich um sechs aufstehe.'],
])('two verbs, or one that parts, stay where they were said: "%s"', (text, content) =>
  expect(clausesOf(text).map((clause) => clause.text)).toEqual([content]),
);

test('a request behind a dash is of what was said before it', () => {
  const text = 'I like tea. — Remember that.';
  expect(clausesOf(text).map((clause) => [clause.text, clause.isAskedToRemember])).toEqual([
    ['I like tea.', false],
    ['— Remember that.', false],
  ]);
  const { turns } = draftDocument(turnsOf([text]), { documentType: 'ai-chat-conversation' });
  expect(turns[0]?.statements[0]).toMatchObject({ text: 'I like tea.', isAskedToRemember: true });
});

test.each([
  'Do you remember that my locker number is 88?',
  'Remember the film with the lighthouse?',
  'Please remember that.',
  'I will always remember that',
])('what only speaks of remembering is left as it is said: "%s"', (text) => expect(drafted(text)).toEqual([text]));

const textsOf = (text: string) => clausesOf(text).map((clause) => clause.text);

test.each([
  'Ben, my brother, lives in York.',
  'Ben, mein Bruder, wohnt in Kiel.',
  'Ben, mon frère, habite à Lyon.',
  'Mira, my cat, is nine.',
  'Mira, mi gata, tiene nueve años.',
  'Claro, my aunt, is a nurse in York.',
])('a name is no lead-in of another language: "%s"', (text) => expect(textsOf(text)[0]).toContain(text.split(',')[0]));

test('a condition in French is no contradiction', () => {
  const text = "Si, un jour, je gagne, j'achète une maison à Nice.";
  expect(textsOf(text)[0]).toMatch(/^Si, un jour/u);
});

test.each([
  ['Si, je mange de la viande.', 'je mange de la viande.'],
  ["Si, j'ai un chien.", "j'ai un chien."],
  ['Ben, je suis comptable à Lyon.', 'je suis comptable à Lyon.'],
  ['Oui, mon frère habite à Lyon.', 'mon frère habite à Lyon.'],
  ['Mira, mi hermano vive en Madrid.', 'mi hermano vive en Madrid.'],
  ['Mira, mi amor, vivo en Madrid.', 'mi amor, vivo en Madrid.'],
  ['Doch, ich esse Fleisch.', 'ich esse Fleisch.'],
  ['Hola, my name is Ines.', 'my name is Ines.'],
])('a lead-in of its own language is left out: "%s"', (text, rest) => expect(textsOf(text)).toEqual([rest]));

test('the evidence of a statement that was corrected at once is all that was said', async () => {
  const [found] = await typedIn('I take 10 mg of bisoprolol. Sorry, 20 mg.');
  expect(found).toMatchObject({ quote: 'I take 10 mg of bisoprolol. Sorry, 20 mg.' });
});

const draftedFrom = (...said: string[]) =>
  draftDocument(turnsOf(said), { documentType: 'ai-chat-conversation' }).turns.flatMap(({ statements }) =>
    statements.map(({ text }) => text),
  );

test('what is said in a part that is played is nobody’s own, until the play ends', () => {
  expect(
    draftedFrom(
      "Let's role-play. You are a hotel clerk, I'm a guest.",
      "Hi, I'm Mr Smith and I'm allergic to feathers.",
      'Stop. That was fun.',
      'I live in Graz.',
    ),
  ).toEqual(expect.not.arrayContaining([expect.stringContaining('feathers')]));
  expect(draftedFrom("Pretend you're a clerk and I'm a guest.", 'I have two dogs.')).toEqual([]);
  expect(draftedFrom('Vamos a jugar: yo soy una detective y tú el mayordomo.', 'Tengo una pistola.')).toEqual([]);
  expect(draftedFrom("Let's write a story together. I'm Captain Vane.", 'I was born in Port Royal.')).toEqual([]);
  expect(draftedFrom('Tu mal so, als wärst du mein Arzt und ich hätte Gicht.', 'Ich nehme Kortison.')).toEqual([]);
});

test.each([
  { case: 'a game by name', said: ['I love role-playing games.', 'I live in Graz.'] },
  { case: 'an account of a role-play', said: ['At work we did a role-play about refunds.', 'I live in Graz.'] },
  { case: 'an everyday question', said: ["Do you play the piano? I'm a drummer.", 'I live in Graz.'] },
  { case: 'a part for the assistant alone', said: ["Pretend you're a pirate and tell me a joke.", 'I live in Graz.'] },
  { case: 'a story for others', said: ["Let's write a story for my son. He loves newts.", 'I live in Graz.'] },
  {
    case: 'a story that has ended',
    said: ["Let's write a story together. I'm Captain Vane.", 'Haha this is great. Ok stop there.', 'I live in Graz.'],
  },
  { case: 'a play that has ended', said: ["Let's role-play, you are my boss.", 'Okay, stop.', 'I live in Graz.'] },
])('after $case people speak for themselves', ({ said }) => expect(draftedFrom(...said)).toContain('I live in Graz.'));

test.each([
  {
    case: 'somebody else’s statement',
    before: 'Here is the invoice.',
    said: 'nah make the price thirty',
    is: undefined,
  },
  {
    case: 'what a word stands for',
    before: 'Your deposit is due.',
    said: 'already paid it, 400 euros',
    is: 'Your deposit is due.',
  },
])('what a statement goes on with: $case', ({ before, said, is }) => {
  const [first, second] = turnsOf([before, said]);
  const { turns } = draftDocument([{ ...first!, role: 'assistant' }, second!], {
    documentType: 'ai-chat-conversation',
  });
  expect(turns[1]!.statements[0]!.antecedent?.content).toBe(is);
});

test('the second of two statements in a sentence goes on with the first', () => {
  const { turns } = draftDocument(turnsOf(['My mum lives in Hull.', "Theo's 8 and Ruby's 5."]), {
    documentType: 'ai-chat-conversation',
  });
  expect(turns[1]!.statements[1]!.antecedent?.content).toBe("Theo's 8 and");
});

test.each([
  ['Ich bin 41 und wohne in Linz.', ['Ich bin 41', 'ich wohne in Linz.']],
  ['Vivo en Girona y trabajo de enfermera.', ['Vivo en Girona', 'trabajo de enfermera.']],
  ['bin 41 und wohne in Linz', ['ich bin 41', 'ich wohne in Linz']],
  ['Me llamo Ana, vivo en Girona y soy enfermera.', ['Me llamo Ana', 'vivo en Girona', 'soy enfermera.']],
  [
    'Mein Freund Ole ist Veganer und ich vertrag keine Milch.',
    ['Mein Freund Ole ist Veganer', 'ich vertrag keine Milch.'],
  ],
  [
    'Cocino mucho porque soy celiaca y mi hijo no come huevo.',
    ['Cocino mucho porque soy celiaca', 'mi hijo no come huevo.'],
  ],
  ["J'habite à Brest et je travaille à Quimper.", ["J'habite à Brest", 'je travaille à Quimper.']],
  ["Je m'appelle Luc, j'ai 34 ans et Théo est végan.", ["Je m'appelle Luc", "j'ai 34 ans", 'Théo est végan.']],
  ['Ich mag Pilze, aber mein Mann hasst sie.', undefined],
  ['Mein Mann Ole und ich wohnen in Kiel.', undefined],
  ['Am Samstag fahren Ada und ich nach Linz.', undefined],
  ['Wenn ich müde bin und ich Hunger habe, esse ich Brot.', undefined],
  ['Meine Ärztin meint, ich habe Gicht und ich muss abnehmen.', undefined],
  ['Meine Mutter sagt immer, ich bin faul und ich schlafe zu lang.', undefined],
  ['Ich finde Tennis toll und ich spiele Fußball.', ['Ich finde Tennis toll', 'ich spiele Fußball.']],
  ['Mi hermana y yo vivimos en Vigo.', undefined],
  ['Ojalá tuviera un perro y yo fuera feliz.', undefined],
  ["J'ai lu que le gluten est mauvais et je devrais arrêter.", undefined],
  ['Ich bin mit einem Koch zusammen, der kocht und wohne in Linz.', undefined],
  ['Tengo una amiga que cose y vivo en Girona.', undefined],
])('two things that a sentence says of one person are two statements: "%s"', (text, parts) =>
  expect(drafted(text)).toEqual(parts ?? [text]),
);

test.each([
  ["J'habite à Lyon et je suis végétarienne", ["J'habite à Lyon", 'je suis végétarienne']],
  ["J'ai deux enfants et ma fille est allergique au lait", ["J'ai deux enfants", 'ma fille est allergique au lait']],
  ['Ich hab zwei Kinder und ich arbeite nachts', ['Ich hab zwei Kinder', 'ich arbeite nachts']],
  ['Vivo en Girona y trabajo de noche', ['Vivo en Girona', 'trabajo de noche']],
  ['Vivo en Girona y no como cerdo', ['Vivo en Girona y no como cerdo']],
])('nothing of a sentence is lost where it is split: "%s"', async (text, contents) =>
  expect((await typedIn(text)).map(({ content }) => content)).toEqual(contents),
);

test.each([
  'I have 900 followers. Actually, 2 of them are bots.',
  'We have three hens. No, I never counted them.',
  'The flat is in Graz. Sorry, I have to go at 5.',
  'I have 2 kids. Oh, and 3 dogs.',
  'My daughter is 7. Actually, my son is 5.',
  'I work on Mondays. No Fridays.',
  'La cita es el lunes. No, no el martes.',
  'My sister is ill. Oh, great.',
  'I moved to Graz. Sorry, Alex.',
])('what only begins like a correction corrects nothing: "%s"', (text) => expect(drafted(text)).toHaveLength(2));

test.each([
  ['No dairy, gluten or nuts.', 'No dairy, gluten or nuts.'],
  ['No fumo, pero bebo vino', 'No fumo, pero bebo vino'],
  ['Marital status: divorced', 'Marital status: divorced'],
  ['And Lisa, my wife, is a nurse.', 'And Lisa, my wife, is a nurse.'],
  ['Thanks Claude, I live in Graz.', 'I live in Graz.'],
  ['Bonjour Claire, je suis allergique aux noix.', 'je suis allergique aux noix.'],
  ['Guten Morgen Frau Lang, ich vertrage keine Milch.', 'ich vertrage keine Milch.'],
  ['Hi Ann and Theo, I live in Graz.', 'I live in Graz.'],
  ['That reminds me, I live in Graz.', 'I live in Graz.'],
])('of "%s" the rules read "%s"', (text, read) => expect(clausesOf(text)).toMatchObject([{ text: read }]));

test.each([
  { case: 'an interruption', text: "I'm allergic to penicillin. Wait, did I tell you that already?" },
  { case: 'a noun', text: 'I live in Leeds. Wait times are awful.' },
  { case: 'the denial of a joke', text: 'I own two hundred umbrellas. Not kidding about it.' },
  { case: 'a joke with somebody', text: 'I met my boss in Graz. I was joking with him about rowing.' },
  { case: 'a verb', text: 'Mi hermana está embarazada. Espera un bebé para junio.' },
])('$case that begins like a correction takes nothing back', ({ text }) => expect(drafted(text)).toHaveLength(2));

test('a condition that may be real is put to the model', () => {
  const text = 'If I eat peanuts I could end up in hospital.';
  expect(drafted(text)).toEqual([text]);
});

test.each([
  ['Could you always list the tools I need first?', 'Always list the tools I need first.'],
  ['My son is allergic to eggs, what can I bake him?', 'My son is allergic to eggs'],
  ['My daughter Mia is severely allergic to nuts, which cake is safe?', 'My daughter Mia is severely allergic to nuts'],
  [
    'My wife Ana, who is allergic to nuts, is coming on Friday, what can I cook?',
    'My wife Ana, who is allergic to nuts, is coming on Friday',
  ],
  ['Is there a food I should avoid?', undefined],
  ['Am I allergic to nuts?', undefined],
  ['How old is my daughter Mia?', undefined],
])('of "%s" is kept: %s', async (text, content) => {
  const [found] = await typedIn(text);
  expect(found?.content).toBe(content);
});

test('a memory goes without the words that lead in to it, and its evidence with them', async () => {
  const text = "Oh and I can't stand cottage cheese";
  expect(await typedIn(text)).toMatchObject([{ content: "I can't stand cottage cheese", quote: text }]);
});

test.each([
  ['Hi, I work nights at the lighthouse.', 'I work nights at the lighthouse.'],
  ['Quick context: I am allergic to peanuts.', 'I am allergic to peanuts.'],
  ['About me: my husband is called Jorun.', 'my husband is called Jorun.'],
  ['Heads up: please keep your answers short.', 'please keep your answers short.'],
])('what leads in to "%s" makes it no less worth keeping', async (said, content) => {
  expect((await typedIn(said)).map((found) => found.content)).toEqual([content]);
});

test.each([
  ['Arbeiten Sie?', 'Grüezi, ich leite ein Depot der Post in Chur', 'ich leite ein Depot der Post in Chur'],
  ['¿Algo nuevo?', 'Fíjese que Nuria se va a estudiar a Bilbao en enero', 'Nuria se va a estudiar a Bilbao en enero'],
  ['Travaillez-vous ?', 'Oui, je suis soudeuse à mi-temps à Brest', 'je suis soudeuse à mi-temps à Brest'],
])('to "%s", "%s" is kept without its lead-in', async (question, said, content) => {
  expect(await typedIn(['assistant', question], said)).toMatchObject([{ content, quote: said }]);
});

test.each(['Bei uns essen alle vegetarisch', 'Mit mir wohnt meine Schwester Anna'])(
  'what holds at the home of the speaker, or beside them, is no order: "%s"',
  async (said) => expect(await typedIn(said)).toHaveLength(1),
);

test('an order for the speaker that always holds is kept', async () => {
  expect(await typedIn('Schick mir nie wieder Links')).toMatchObject([{ type: 'preferences' }]);
});

test.each([
  ['¡Buenas! ¿En qué le puedo ayudar?', 'Abrimos de jueves a lunes, de 6 a 12 de la noche'],
  ['Bonjour ! Comment puis-je vous aider ?', "J'ai deux chats, Minou et Félix"],
  ['Moin! Wie kann ich dir helfen?', 'Hab einen Hund, Rocko, der verträgt kein Getreide'],
])('what follows the offer "%s" is no answer to it', async (offer, said) => {
  expect(await typedIn(['assistant', offer], said)).toMatchObject([{ type: 'facts', content: said }]);
});

test('days that come back are no event', async () => {
  const [found] = await typedIn('Abrimos de jueves a lunes, de 6 a 12 de la noche');
  expect(found).toMatchObject({ type: 'facts' });
});

test('an answer that is nothing without its question is kept with it, and cites both turns', async () => {
  const { candidates } = await extractFrom([['assistant', "What's your notice period?"], 'three months']);
  const found = candidates.find(({ type }) => type !== 'episodes');
  expect(found).toMatchObject({
    content: "What's your notice period? three months",
    quote: 'three months',
    turns: [1, 0],
  });
});

test('who is introduced by relation and name needs no question, whatever was asked', async () => {
  const wedding = 'My sister Ingrid is getting married on 12 June in Galway.';
  const { candidates } = await extractFrom([['assistant', 'What are you working on?'], wedding]);
  expect(candidates.find(({ type }) => type !== 'episodes')).toMatchObject({ content: wedding, turns: [1] });
});

test.each([
  { case: 'the section above', before: [] },
  { case: 'the question before the turn', before: [['assistant', 'Who runs the deployments?'] as const] },
])('a statement below a heading does not go on with $case', async ({ before }) => {
  const notes =
    '## Deployments\nThe on-call engineer is listed in #ops.\n\n## Contacts\n* IT support: it@fernwood.example';
  const { candidates } = await extractFrom([...before, notes]);
  const typed = candidates.filter(({ type }) => type !== 'episodes').map(({ content }) => content);
  expect(typed).toContain('IT support: it@fernwood.example');
});

test('what a sentence adds to the one before is kept with it, and the first alone is no memory beside both', async () => {
  const text = 'I have started piano lessons. Every Monday and Thursday.';
  expect(await typedIn(text)).toMatchObject([{ content: text, quote: text }]);
});

test('of several short answers each is kept with the question, as one memory of all their words', async () => {
  const { candidates } = await extractFrom([['assistant', 'Which foods make you ill?'], 'Shellfish. And peanuts.']);
  expect(candidates.filter(({ type }) => type !== 'episodes')).toMatchObject([
    {
      content: 'Which foods make you ill? Shellfish. And peanuts.',
      quote: 'Shellfish. And peanuts.',
      turns: [1, 0],
    },
  ]);
});

test.each([
  { question: 'Which foods make you ill?', said: 'Mostly gluten. And dairy.', kept: 'Mostly gluten. And dairy.' },
  { question: 'Which foods make you ill?', said: 'Mostly gluten. And thanks.', kept: 'Mostly gluten.' },
  { question: 'Who lives with you?', said: 'My mum. And the dog.', kept: 'My mum. the dog.' },
  {
    question: '¿A qué eres alérgico?',
    said: 'A los cacahuetes. Y al marisco.',
    kept: 'A los cacahuetes. Y al marisco.',
  },
])('a few words more continue an answer that is kept, its end does not: $said', async ({ question, said, kept }) => {
  const { candidates } = await extractFrom([['assistant', question], said]);
  const typed = candidates.filter(({ type }) => type !== 'episodes');
  expect(typed.map(({ content }) => content)).toEqual([`${question} ${kept}`]);
});

test('an order of a known form is an instruction, also behind a question on taste; a plan of that form is none', async () => {
  const { candidates } = await extractFrom([['assistant', 'How do you like it?'], 'Always answer me in Portuguese.']);
  expect(candidates.find(({ type }) => type !== 'episodes')).toMatchObject({ category: 'instruction' });
  const [plan] = await typedIn('In the future I want to live in Spain.');
  expect(plan?.category).not.toBe('instruction');
});

test('a list of people is one statement, "and my ..." at its end with the rest', async () => {
  const found = await typedIn('We are flying to Lisbon in May, my husband Ivo, two kids and my parents.');
  expect(found.map(({ content }) => content)).toEqual([
    'We are flying to Lisbon in May, my husband Ivo, two kids and my parents.',
  ]);
});

test('what is dictated without a full stop is read where its speaker begins anew', async () => {
  const walk = 'and we walked along the river past the mill and the church and the old bridge '.repeat(8);
  const found = await typedIn(
    `so yesterday was nice ${walk}and I am allergic to walnuts and my cousin Jorun runs a bakery`,
  );
  const contents = found.map(({ content }) => content);
  expect(contents).toContain('I am allergic to walnuts');
  expect(contents).toContain('my cousin Jorun runs a bakery');
});

test('what is dictated under an "if" is not cut from it', async () => {
  const sale = 'and the bank agrees and the notary signs and the movers come and the weather holds '.repeat(8);
  expect(await typedIn(`if the sale works out ${sale}and I live in Leeds and my cousin Jorun runs a bakery`)).toEqual(
    [],
  );
});

test('what the assistant says is nobody’s memory', async () => {
  const { candidates } = await extractFrom([['assistant', 'You are allergic to walnuts and live in Graz.']]);
  expect(candidates.filter(({ type }) => type !== 'episodes')).toEqual([]);
});

test('a promise with a date falls due then', async () => {
  const [promise] = await typedIn("I'll send the invoice to Odile by Friday.");
  expect(promise).toMatchObject({ dueAt: new Date('2026-03-13T00:00:00Z') });
});

test('what happened has a time and is not due', async () => {
  const [trip] = await typedIn('We got married on 9 May 2025.');
  expect(trip?.event).toMatchObject({ start: new Date('2025-05-09T00:00:00Z'), precision: 'day' });
  expect(trip?.dueAt).toBeUndefined();
});

test.each([
  ['My blood test is on 14 May at 8:15 am, and I have to fast from midnight.', '2026-05-14T00:00:00Z'],
  ['My flight is on 14 May. I have to be at the airport at 6 am.', '2026-05-14T06:00:00Z'],
  ['Mein Flug geht am 14. Mai. Ich muss um 6 Uhr am Flughafen sein.', '2026-05-14T06:00:00Z'],
  ['My birthday is on 14 May. Remind me to call Jorun at 5 pm.', '2026-03-09T17:00:00Z'],
  ['The trip is on 14 May. Right now it is 3 pm.', '2026-03-09T15:00:00Z'],
  ['The trip is on 14 May, and I have to leave right now, at 3 pm.', '2026-03-09T15:00:00Z'],
  ['We marry on 14 May. Call me at 5 pm.', '2026-03-09T17:00:00Z'],
  ['The flight is on 14 May. Same day at 5 pm we eat.', '2026-05-14T17:00:00Z'],
  ['I have to pick up the kids at 4 pm.', '2026-03-09T16:00:00Z'],
  ['We moved the party to the boathouse, same day but 3 pm.', undefined],
])('an hour to come is one of the day that was named right before, else of today: "%s"', (text, start) => {
  const { turns } = draftDocument(turnsOf([text]), { documentType: 'ai-chat-conversation' });
  expect(turns[0]!.statements.at(-1)!.event?.start).toEqual(start && new Date(start));
});

test('a number that looks like a time of day makes no event', async () => {
  const [best] = await typedIn('My best half marathon is 2:04.');
  expect(best?.event).toBeUndefined();
});

test.each([
  ['I moved to Graz.', 'Jo moved to Graz.'],
  ["I don't like my new desk.", "Jo doesn't like Jo's new desk."],
  ['I read a novel every week.', 'Jo: I read a novel every week.'],
])('with a name known, "%s" reads "%s"', async (text, content) => {
  const { candidates } = await extractFrom([['user', text, 'Jo']]);
  expect(candidates.find(({ type }) => type !== 'episodes')).toMatchObject({ content, quote: text });
});

test.each([
  ['No me gusta el pescado.', 'Jo: No me gusta el pescado.'],
  ['Ich bin Veganerin.', 'Jo: Ich bin Veganerin.'],
  ["J'habite à Lyon.", "Jo: J'habite à Lyon."],
  ['Cilantro disgusts me.', 'Jo: Cilantro disgusts me.'],
  ["I'd rather walk.", "Jo: I'd rather walk."],
  ["Rent is due on the 1st but mine's always the 3rd.", "Rent is due on the 1st but Jo's is always the 3rd."],
  ["I'd like a dog.", "Jo: I'd like a dog."],
  ['Our boiler is old.', 'Our boiler is old.'],
  ['Unser Drucker im Lager ist kaputt.', 'Unser Drucker im Lager ist kaputt.'],
])('"%s" of Jo is "%s"', (text, content) => expect(toThirdPerson(text, 'Jo')).toBe(content));

test('what is told with the name of who said it keeps their own words beside it', async () => {
  const [found] = await typedIn(
    ['user', 'I work nights at the hospital.', 'Jo'],
    ['user', 'I bake on Sundays.', 'Ada'],
  );
  expect(found).toMatchObject({
    content: 'Jo works nights at the hospital.',
    asSaid: 'I work nights at the hospital.',
  });
});

test('each clause is a statement of its own, on the words of its sentence', async () => {
  const text = 'I am allergic to walnuts and I work as a piano tuner.';
  const found = await typedIn(text);
  expect(found.map(({ content }) => content)).toEqual(['I am allergic to walnuts', 'I work as a piano tuner.']);
  expect(found.every(({ quote }) => quote === text)).toBe(true);
});

test.each([
  { text: 'I have to file my taxes by April 15.', due: '2026-04-15' },
  { text: "Don't forget our rehearsal on 12 May.", due: '2026-05-12' },
])('"$text" falls due on $due', async ({ text, due }) => {
  const [found] = await typedIn(text);
  expect(found).toMatchObject({ dueAt: new Date(due) });
});

test('without a model, what a form states is kept, and little else', () => {
  const turns = turnsOf(['I live in Graz. My cousin Jorun runs a bakery.']);
  const { candidates } = selectCandidates(draftDocument(turns, { documentType: 'ai-chat-conversation' }), [], 0.7);
  expect(candidates.map(({ type, content }) => [type, content])).toEqual([
    ['episodes', 'I live in Graz. My cousin Jorun runs a bakery.'],
    ['facts', 'I live in Graz.'],
  ]);
});

test.each([
  ['No puedo comer gluten.', 'No puedo comer gluten.'],
  ['No me gusta el apio.', 'No me gusta el apio.'],
  ['Ich mag Rosinen nicht.', 'Ich mag Rosinen nicht.'],
  ['No, I love walnuts.', 'I love walnuts.'],
])('what denies it stays with what is kept of "%s"', async (text, content) => {
  expect((await typedIn(text)).map((found) => found.content)).toEqual([content]);
});

test.each([
  ['I have a hazelnut allergy and take insulin at night.', ['I have a hazelnut allergy', 'I take insulin at night.']],
  ['I live in Graz with my parrot Otto.', ['I live in Graz', 'I live with my parrot Otto.']],
  [
    'I have an eye test on 4 May at noon and a haircut on 6 May.',
    ['I have an eye test on 4 May at noon', 'I have a haircut on 6 May.'],
  ],
  ['I am coeliac and Jorun has asthma.', ['I am coeliac', 'Jorun has asthma.']],
  ['I have to cook and take the bins out.', ['I have to cook and take the bins out.']],
  ['I have a friend who rows and have no boat.', ['I have a friend who rows and have no boat.']],
  ['I like apples and pears.', ['I like apples and pears.']],
  ['My aunt hates boats but I love them.', ['My aunt hates boats but I love them.']],
  ['I hope Ann and Theo can come.', ['I hope Ann and Theo can come.']],
  ['My wife Sara and I met in Graz.', ['My wife Sara and I met in Graz.']],
  [
    'I taught in Graz, where my late wife Sara and I had a farm.',
    ['I taught in Graz, where my late wife Sara and I had a farm.'],
  ],
  ['My best friend and I moved to Graz.', ['My best friend and I moved to Graz.']],
  [
    'I live in Graz with my wife Sara and I work at the docks.',
    ['I live in Graz', 'I live with my wife Sara', 'I work at the docks.'],
  ],
  ['I drink no wine, my body is too weak for it.', ['I drink no wine, my body is too weak for it.']],
  ['I work at the docks, my boss is Jorun.', ['I work at the docks', 'my boss is Jorun.']],
  ["I am out on Friday, my brother's wedding is in Graz.", ["I am out on Friday, my brother's wedding is in Graz."]],
  ['My brunch with Ann and Theo is on Sunday.', ['My brunch with Ann and Theo is on Sunday.']],
  ['I can not work and study at the same time.', ['I can not work and study at the same time.']],
  ['I have a home and work address in Graz.', ['I have a home and work address in Graz.']],
  ['I have a guitar but can not play it yet.', ['I have a guitar but can not play it yet.']],
  ['I have a dog and take him to the park.', ['I have a dog and take him to the park.']],
  ['I live in sin with my girlfriend.', ['I live in sin with my girlfriend.']],
  [
    'I live in Graz with my wife, who shares a car with my brother.',
    ['I live in Graz', 'I live with my wife, who shares a car with my brother.'],
  ],
  ['I love tea but I drink too much coffee.', ['I love tea', 'I drink too much coffee.']],
])('"%s" is cut where one may end without the other', (text, statements) => {
  expect(drafted(text)).toEqual(statements);
});

test.each([
  ['Could you always end with a checklist?', 'Always end with a checklist.'],
  ['Would you keep your answers under four lines, please?', 'Keep your answers under four lines.'],
])('"%s" is an order', async (text, content) => {
  expect(await typedIn(text)).toMatchObject([{ category: 'instruction', content, quote: text }]);
});

test.each([
  'Can you explain why cats always land on their feet?',
  'Can you tell me why my car never starts in winter?',
  'Can you remind me what my doctor said?',
  'Could you explain your answers to question 3?',
  'Could you call me a taxi?',
  'Could you remind me what time the dentist is tomorrow?',
])('"%s" is none', async (text) => {
  expect(await typedIn(text)).toEqual([]);
});

test.each([
  ["I'm Nora, 34.", 'identity'],
  ['Ich bin Diabetiker.', 'health'],
  ['Soy enfermera en Girona.', 'other'],
])('"%s" is of the category %s', (text, category) => {
  expect(categoryOf('fact', text)).toBe(category);
});

test.each([
  ['No me gusta el apio.', 'dislikes'],
  ['Ich mag keine Rosinen.', 'dislikes'],
  ['Ich mag nicht nur Tee, sondern auch Kaffee.', 'likes'],
])('"%s" tells of %s', (text, category) => {
  expect(categoryOf('preference', text)).toBe(category);
});

test('who laughs at an order gives none', async () => {
  expect(await typedIn("Haha, don't let me buy another boat.")).toEqual([]);
});

test.each(['Remind me to call the harbour office on Thursday.', 'Can you remind me to pay the mooring on 20 March?'])(
  '"%s" falls due',
  async (text) => {
    const [found] = await typedIn(text);
    expect(found).toMatchObject({ type: 'temporal_events', dueAt: expect.any(Date) });
    expect(found!.content).toMatch(/^Remind me to /u);
  },
);

test('a reminder without a time is none', async () => {
  expect(await typedIn('Remind me to call the harbour office.')).toEqual([]);
});

test('a date in figures is read as its speaker writes dates elsewhere in the document', () => {
  const { turns } = draftDocument(
    turnsOf([
      ['user', 'My exam is on 3/12.', 'Ann'],
      ['user', 'My party is on 3/12.', 'Bea'],
      ['user', 'My flight is on 25/11.', 'Ann'],
    ]),
    { documentType: 'ai-chat-conversation' },
  );
  const starts = turns.map(({ statements }) => statements[0]?.event?.start.toISOString().slice(0, 10));
  expect(starts).toEqual(['2026-12-03', '2026-03-12', '2026-11-25']);
});
