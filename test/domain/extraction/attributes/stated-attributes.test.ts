import { expect, test } from 'vitest';
import { statedAttributeOf } from '../../../../src/domain/extraction/attributes/stated-attributes.ts';
import { clausesOf } from '../../../../src/domain/extraction/clauses.ts';
import { extractFrom, monday } from '../said.ts';

const stated = (text: string) =>
  clausesOf(text).flatMap((clause) => {
    const attribute = statedAttributeOf(clause, 'user', { at: monday });
    return attribute ? [`${attribute.name}=${attribute.sense ? `${attribute.sense} ` : ''}${attribute.value}`] : [];
  });

test.each([
  ['I live in Graz.', 'residence=graz'],
  ["I've just relocated to New Haven!", 'residence=new haven'],
  ['We moved from Graz to Lyon last month.', 'residence=lyon'],
  ['Actually, my home is in Porto now.', 'residence=porto'],
  ['I moved back to Graz because my mother is ill.', 'residence=graz'],
  ['I work at Larkfield Motors.', 'employer=larkfield motors'],
  ['I got a new job at Quillon.', 'employer=quillon'],
  ['My new number is 0664 123 45 67.', 'phone=06641234567'],
  ['My work email has changed to jo@quillon.example.', 'work email=jo@quillon.example'],
  ['My boss is Jorun.', 'manager=jorun'],
  ['Odile is my manager now.', 'manager=odile'],
  ['My favorite color is teal.', 'favourite colour=teal'],
  ['I just turned 52!', 'age=52'],
  ['I am divorced now.', 'marital status=divorced'],
  ['We sold our Fiat and drive a Renault now.', 'car=renault'],
  ['The choir rehearsal has been moved to Mondays.', 'day of choir rehearsal=monday'],
  ['My name is Odile Brandt.', 'name=odile'],
  ['Actually, call me Odi.', 'nickname=odi'],
  ['Reply in Dutch please.', 'answer language=dutch'],
  ['From now on answer in Czech, not Dutch.', 'answer language=czech'],
  ['Keep your answers brief.', 'answer length=short'],
  ['You can give longer answers now.', 'answer length=long'],
  ['Longer replies are fine again.', 'answer length=long'],
  ['Please give me more detailed answers from now on.', 'answer length=long'],
  ['Always use bullet points.', 'answer layout=bullets'],
  ['I love rowing.', 'taste for row=likes'],
  ['I hate rowing now.', 'taste for row=dislikes'],
  ["I'm allergic to walnuts.", 'allergy to walnut=yes'],
  ['I am a vegan.', 'being vegan=yes'],
  ['My husband is called Bram.', 'being with bram=together'],
  ['Ich wohne jetzt in Graz.', 'residence=graz'],
  ['Wir sind letzten Monat nach Linz gezogen.', 'residence=linz'],
  ['Vivo en San Sebastián desde hace dos años.', 'residence=san sebastián'],
  ['Nos mudamos a Girona la semana pasada.', 'residence=girona'],
  ["J'habite en France depuis 2019.", 'residence=france'],
  ["J'habite à Nantes depuis mai.", 'residence=nantes'],
  ['Übrigens bin ich letzte Woche nach Linz gezogen, näher zu meiner Mutter.', 'residence=linz'],
  ['Seit Mai wohnen wir in Graz.', 'residence=graz'],
  ['Im Mai sind wir nach Linz gezogen.', 'residence=linz'],
  ['Wir sind diesen Monat nach Linz gezogen.', 'residence=linz'],
  ['Me mudé a Girona en septiembre.', 'residence=girona'],
  ["J'ai déménagé à Nantes en septembre, plus près de ma mère.", 'residence=nantes'],
  ['Ya no vivo en Girona.', 'residence=denies girona'],
  ['Ich bin allergisch gegen Haselnüsse.', 'allergy to haselnüsse=yes'],
  ['No soy alérgica al látex.', 'allergy to látex=no'],
  ["Je m'appelle Odile.", 'name=odile'],
  ['Nenn mich bitte Odi.', 'nickname=odi'],
  ['Por favor, llámame Odi.', 'nickname=odi'],
  ['Appelle-moi Odi, s’il te plaît.', 'nickname=odi'],
  ['Ab sofort antworte bitte auf Englisch.', 'answer language=english'],
  ['Sprich Deutsch mit mir.', 'answer language=german'],
  ['Contéstame siempre en español.', 'answer language=spanish'],
  ['A partir de ahora, responde en inglés.', 'answer language=english'],
  ['Réponds-moi toujours en français, s’il te plaît.', 'answer language=french'],
  ['Désormais, parle-moi en allemand.', 'answer language=german'],
  ['Ne m’envoie jamais de longs messages.', "order to ne m'envoie jamai de long messag=so"],
  ['We have a cat named Pepper.', 'life of pepper=alive'],
  ['My sister Jorun works at Quillon.', 'employer of jorun=yields quillon'],
])('"%s" states %s', (text, expected) => expect(stated(text)).toEqual([expected]));

test.each([
  ['I do not live in Lyon anymore.', 'residence=denies lyon'],
  ['I used to live in Lyon.', 'residence=ends lyon'],
  ['We moved out of Lyon.', 'residence=ends lyon'],
  ['I quit my job at Quillon.', 'employer=ends quillon'],
  ['I got laid off last week.', 'employer=ends-all any'],
  ['We sold the Fiat.', 'car=ends fiat'],
  ["I don't like rowing anymore.", 'taste for row=dislikes'],
  ['I used to love rowing.', 'taste for row=ends likes'],
  ["Turns out I'm not allergic to walnuts.", 'allergy to walnut=no'],
  ["I'm no longer a vegan.", 'being vegan=no'],
  ['Bram and I broke up in March.', 'being with bram=apart'],
  ['Pepper died yesterday.', 'life of pepper=dead'],
  ['Jorun no longer works at Quillon.', 'employer of jorun=denies quillon'],
  ['We cancelled the trip to Lyon.', 'going to lyon=off'],
  ['Stop answering in Dutch.', 'answer language=denies dutch'],
  ['Stop calling me Odi.', 'nickname=denies odi'],
  ['Never add emojis.', 'order to emoji=denies so'],
  ['Emojis are fine now.', 'order to emoji=also so'],
  ['Emojis are fine after all.', 'order to emoji=also so'],
  ['You can use emojis again.', 'order to emoji=also so'],
  ['No need to use emojis any more.', 'order to emoji=denies so'],
])('"%s" says that it is over: %s', (text, expected) => expect(stated(text)).toEqual([expected]));

test('a time that is ahead is replaced until then', () => {
  const [flight] = clausesOf('My flight is on 3 May at 9am.');
  expect(statedAttributeOf(flight!, 'user', { at: monday })).toMatchObject({
    name: 'day of flight',
    until: new Date('2026-05-03T09:01:00Z'),
  });
});

test.each([
  { case: "a sister's move is not mine", text: 'My sister moved to Lyon.' },
  { case: 'a visit is no move', text: 'I visited Lyon last weekend.' },
  { case: 'nor is a thought of one', text: 'I might move to Lyon one day.' },
  { case: 'nor a plan', text: 'I am moving to Lyon in June.' },
  { case: 'nor a wish', text: 'I wish I lived in Lyon.' },
  { case: 'nor a condition', text: 'If I live in Lyon next year, I will need a bike.' },
  { case: 'a refusal is not mine', text: 'I would never live in Lyon.' },
  { case: 'a question is none', text: 'Do I live in Lyon?' },
  { case: 'somebody said so', text: 'Jorun thinks I live in Lyon.' },
  { case: 'a story is none', text: 'Imagine a story: I live in Lyon.' },
  { case: 'long ago is not now', text: 'I moved to Lyon in 1999.' },
  { case: 'a part of the week is not a home', text: 'I live in Lyon on weekdays.' },
  { case: 'two homes are no single value', text: 'I live in Lyon and Graz.' },
  { case: 'a move taken back is none', text: 'I moved to Lyon, but I returned to Graz.' },
  { case: 'a home for a while is none', text: 'Ich wohne in Graz, aber nur bis Mai.' },
  { case: 'nor one for now', text: 'Ich wohne in Graz, vorübergehend.' },
  { case: 'nor one for now, in Spanish', text: 'Vivo en Girona, de momento.' },
  { case: 'nor one that depends, in French', text: "J'habite à Lyon, si tout va bien." },
  { case: 'nor one for a season', text: 'Im Sommer wohne ich in Graz.' },
  { case: 'also behind its verb', text: 'Ich wohne im Sommer in Graz.' },
  { case: 'nor one for this month', text: 'Diesen Monat wohne ich in Graz.' },
  { case: 'nor one for a month, in French', text: "J'habite à Nice en août." },
  { case: 'nor one for a month, in Spanish', text: 'Vivo en Cádiz en agosto.' },
  { case: 'software is no place', text: 'I moved to Linux last year.' },
  { case: 'a department is no place', text: 'I moved to Sales.' },
  { case: 'a way of life is no place', text: 'I live in a state of chaos.' },
  { case: "a partner's employer is not mine", text: 'My wife works at Quillon.' },
  { case: 'an application is no job', text: 'I applied for a job at Quillon.' },
  { case: 'a second job does not replace the first', text: 'I also work at Quillon.' },
  { case: "another's manager is not mine", text: 'Odile is the manager of Jorun.' },
  { case: 'a state of the manager is no name', text: 'My manager is ill.' },
  { case: 'weeks are no age', text: 'I am 34 weeks pregnant.' },
  { case: "a child's age is not mine", text: 'My son is 12 years old.' },
  { case: 'a lorry at work is not my car', text: 'I drive a Scania at work.' },
  { case: 'who left last night may be back', text: 'I left Lyon yesterday.' },
  { case: 'a near thing is no end', text: 'I almost quit my job.' },
  { case: 'nor is a wish for one', text: 'I want to quit my job.' },
  { case: 'a job that is not named may be the one before', text: 'I quit my job.' },
  { case: "another's end is not mine", text: 'My brother got laid off.' },
  { case: 'a taste for a list is none for each', text: 'I love rowing and chess.' },
  { case: 'a comparison is no taste', text: 'I like rowing more than chess.' },
  { case: 'nor is the mood of the moment', text: "I don't like rowing right now." },
  { case: 'an exception is no end', text: "I'm not allergic to any nuts except walnuts." },
  { case: 'leave for once takes back no order', text: 'You can use bullet points here.' },
  { case: 'an answer to one text is no language', text: 'Translate this into Dutch.' },
  { case: "nor is another's wish", text: 'My boss wants me to answer in Dutch.' },
  { case: 'links that work are no answers', text: 'Links are fine now.' },
  { case: 'a text in a language is no language of answers', text: 'Schreib mir einen Brief auf Englisch.' },
  { case: 'nor is what another speaks, in Spanish', text: 'Habla en inglés.' },
  { case: 'a weekday is no name', text: 'Call me Monday.' },
  { case: 'a place is no time', text: 'My meeting with Jorun is in the office.' },
  { case: 'several favourites are no single value', text: 'My favourite dishes are soup and pie.' },
])('$case', ({ text }) => expect(stated(text)).toEqual([]));

test.each([
  {
    case: 'in a chat "I" is the user',
    documentType: 'ai-chat-conversation',
    said: [['user', 'I live in Graz.', 'Jo']],
    expected: ['user'],
  },
  {
    case: 'among several it is each speaker',
    documentType: 'meeting-transcript',
    said: [
      ['user', 'I live in Graz.', 'Jo'],
      ['user', 'I live in Lyon.', 'Max'],
    ],
    expected: ['jo', 'max'],
  },
  {
    case: 'in a letter without a name it is nobody',
    documentType: 'email',
    said: [['user', 'I live in Graz.']],
    expected: [],
  },
  {
    case: 'an assistant states nothing',
    documentType: 'ai-chat-conversation',
    said: [['assistant', 'I live in Graz.']],
    expected: [],
  },
] as const)('$case', async ({ documentType, said, expected }) => {
  const { candidates } = await extractFrom(said, { documentType });
  expect(candidates.flatMap(({ attribute }) => attribute?.subject ?? [])).toEqual(expected);
});

test.each([
  { case: 'a passage that only states an attribute goes with it', text: 'Hi! I live in Graz.', statesOnly: true },
  { case: 'one that says more stays', text: 'I live in Graz. The market there is lovely.', statesOnly: undefined },
  { case: 'also within the sentence', text: 'I live in Graz and my brother sings.', statesOnly: undefined },
])('$case', async ({ text, statesOnly }) => {
  const episode = (await extractFrom([text])).candidates.find(({ type }) => type === 'episodes');
  expect(episode?.statesOnly).toBe(statesOnly);
});

test.each([
  'Ich lebe in Scheidung.',
  'Wir leben in Angst.',
  'Ich bin nach Hause gezogen.',
  'Ich arbeite bei Regen.',
  'Nos mudamos a Girona este verano.',
  'Soy alérgica a gatos y perros.',
])('"%s" states no attribute', (text) => {
  expect(stated(text)).toEqual([]);
});
