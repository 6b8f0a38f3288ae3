// A potter talks to her assistant, twice. Invented for this demo.

const dayMs = 86_400_000;
const daysAgo = (days, minutes) => new Date(Date.now() - days * dayMs + minutes * 60_000).toISOString();

/** The date of the wedding: always some weeks ahead, whenever the demo runs. */
const wedding = new Date(Date.now() + 45 * dayMs).toLocaleDateString('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Each chat is one document; the second corrects the first. */
export const chats = [
  {
    title: 'Three weeks ago',
    turns: [
      ['user', "Hello! I'm Mira, I'm a potter and I live in Leeds with my cat Biscuit and far too many teapots."],
      ['assistant', 'Lovely to meet you, Mira. Biscuit and the teapots sound like good company.'],
      ['user', 'I am allergic to peanuts, so please never suggest recipes with peanuts in them.'],
      ['assistant', 'Understood. No peanuts, ever.'],
      ['user', "I love oolong tea, but I can't stand lapsang souchong. It tastes like licking a bonfire."],
      ['assistant', 'A review for the ages. What are you working on?'],
      ['user', `My sister Ingrid is getting married on ${wedding}, and I promised to make all eighty plates.`],
      ['assistant', 'Eighty! Shall we plan the kiln firings together?'],
      ['user', "Please do. I'm a little nervous about it: I have never made more than twelve of anything."],
    ],
    daysAgo: 21,
  },
  {
    title: 'Yesterday',
    turns: [
      ['user', 'I moved to York last weekend! The new studio has a window the size of a bus.'],
      ['assistant', 'Congratulations! How is Biscuit taking it?'],
      ['user', 'He hates the stairs. But I am so happy with the light here.'],
      ['assistant', 'Then the plates will be beautiful.'],
      ['user', 'From now on, answer in short bullet points, because my hands are always full of clay.'],
    ],
    daysAgo: 1,
  },
].map(({ title, turns, daysAgo: days }) => ({
  title,
  turns: turns.map(([role, content], n) => ({ role, content, timestamp: daysAgo(days, n) })),
}));

/** Asked of the whole memory, in other words than the story's. */
export const questions = [
  'Which city is my home now?',
  'Is there a food I should avoid?',
  'When is the wedding of my sister?',
];

/** Said on the stream: no question about the past, and yet the past matters. */
export const said = "I'm putting together a tea table for Ingrid and her guests, sweets included. Ideas?";
