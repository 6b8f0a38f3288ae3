// Sentences of our own, put together from tables: the same at every run, and no two alike.

const tables = {
  when: listOf(`last Tuesday, on Friday evening, two weeks ago, over the long weekend, this morning, early in March,
    the day before yesterday, right after lunch, in the middle of the night, during the school holidays, an hour ago,
    on the first warm day of spring, just before closing time, at the end of October, on Sunday after church`),
  person: listOf(`Helga, Piet, Noor, Marek, Doctor Amari, our landlord, Tomasina, Jules, the twins, Rosalind, Dmitri,
    Granny Wu, Ines, coach Okafor, the librarian, Casper, my brother-in-law, Professor Lindqvist, Yasmin, the plumber,
    Osei, Birgit, Leandro, Captain Moss, Ayumi, Torvald, the baker, Philippa, Zoltan, Saoirse, Mrs Venkat, Bruno, Imke,
    Farouk, the vet, Wilhelmina, Kofi, Anneliese, Ruben, the carpenter`),
  did: listOf(`repaired, painted, sorted, carried, looked for, cleaned, sold, photographed, borrowed, wrapped, weighed,
    dismantled, measured, sketched, dropped, buried, restored, labelled, unpacked, compared, auctioned, mended, catalogued,
    polished, exchanged, hid, tested, rebuilt, donated, inspected`),
  quality:
    listOf(`old, wooden, green, heavy, cracked, Finnish, silent, borrowed, enormous, rusty, embroidered, transparent,
    second-hand, leaking, inflatable, antique, orange, dusty, folding, miniature, waterproof, crooked, expensive, striped,
    mechanical, portable, wobbly, velvet, bronze, solar`),
  thing:
    listOf(`bicycle, vinyl records, garden fence, cello, sofa, kite, gutters, plums, letters, piano, telescope, tent,
    olive jars, chess clock, paper lanterns, kitchen lamp, canoe, typewriter, beehive, birdhouse, sewing machine, raincoat,
    atlas, wardrobe, accordion, tomato seedlings, ladder, aquarium, sledge, teapot, postcards, weathervane, skateboard,
    cheese press, hammock, microscope, snow boots, ceiling fan, stamp album, doorbell, wheelbarrow, mosaic, barometer,
    drum kit, rope bridge, pancake griddle, fishing net, globe, chandelier, cuckoo clock, marionettes, surfboard, curtains,
    toolbox, jigsaw puzzle, rocking chair, compost bin, loom, radio, trampoline`),
  place:
    listOf(`behind the railway station, by the canal, at the workshop, near the lighthouse, in the hallway, on the roof
    terrace, at the harbour market, in the museum, beside the mill pond, in the dunes, in the music school, at Elm Street,
    under the motorway, in a cabin, at the clinic, in the courtyard, outside the town hall, in the greenhouse, at the quarry,
    in the attic, on the ferry, at the bowling alley, in the vineyard, near the airport, at the monastery`),
  trouble:
    listOf(`the weather turned nasty, nobody had a screwdriver, the neighbours complained, we ran out of flour, the
    bus was late, the dog chewed the manual, the power went out, half of the guests cancelled, the glue never dried, my knee
    hurt, prices had doubled, the key broke, it smelled of paint, the numbers were wrong, a wasp bothered us, the paperwork
    took ages, the meter swallowed our coins, somebody fainted, the zip jammed, fog rolled in, the alarm rang`),
  outcome:
    listOf(`finished before dark, laughed about it, started all over, gave up and ordered noodles, took forty pictures,
    saved sixty euros, promised to return, left the rest for Monday, borrowed a crane, served soup to everyone, wrote down
    each step, threw half of it away, got some applause, slept like stones, missed the ferry, found a better way`),
  idea: listOf(`bring a thermos, ask for a receipt, wear thick gloves, start sooner, check the forecast, rent a van, use cedar,
    call ahead, measure twice, leave the car at home, pay in cash, invite fewer people, label every box, keep a spare fuse,
    soak the beans, charge the batteries, hire an expert, read the warnings, book a table, sharpen the knives`),
};

const turns = [
  (w) =>
    `${upper(w('when'))} ${w('person')} and I ${w('did')} the ${w('quality')} ${w('thing')} ${w('place')}, and although ` +
    `${w('trouble')}, we ${w('outcome')}; next time we should ${w('idea')}.`,
  (w) =>
    `${upper(w('person'))} ${w('did')} the ${w('quality')} ${w('thing')} ${w('place')} ${w('when')}. It went well until ` +
    `${w('trouble')}, so we ${w('outcome')} and agreed to ${w('idea')}.`,
  (w) =>
    `We ${w('did')} the ${w('thing')} with ${w('person')} ${w('when')}, but ${w('trouble')} ${w('place')}; from now on ` +
    `somebody has to ${w('idea')} before anyone touches the ${w('quality')} ${w('thing')}.`,
  (w) =>
    `${upper(w('place'))} ${w('trouble')} ${w('when')}, just as ${w('person')} ${w('did')} the ${w('quality')} ` +
    `${w('thing')}, yet we ${w('outcome')}, and I learned to ${w('idea')} first.`,
];
const questions = [
  (w) => `What happened when ${w('person')} ${w('did')} the ${w('quality')} ${w('thing')}?`,
  (w) => `Why should we ${w('idea')} before we touch the ${w('thing')}?`,
  (w) => `Who ${w('did')} the ${w('thing')} ${w('place')}, and how did it end?`,
  (w) => `Did ${w('person')} ever see the ${w('quality')} ${w('thing')} ${w('place')}?`,
];

function listOf(table) {
  return table.split(',').map((each) => each.replaceAll(/\s+/g, ' ').trim());
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** `turn()` has some thirty words, `question()` some ten; neither ever repeats itself. */
export function createWriter(seed) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const written = new Set();
  const write = (forms) => {
    for (;;) {
      const text = pick(forms)((name) => pick(tables[name]));
      if (!written.has(text) && written.add(text)) return text;
    }
  };
  return { turn: () => write(turns), question: () => write(questions), below: (end) => Math.floor(random() * end) };
}

/** Mulberry32: 0 to 1, the same for the same seed. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
