// Plays the labelled scenes of a television series through the real pipeline and prints how well names are linked to
// characters: npm run build && node scripts/measure-characters.mjs <data folder>
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTemporary } from './measure/temporary.mjs';
import { isPronoun, labelledMentions, tellCharacter } from './measure/characters.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('usage: node scripts/measure-characters.mjs <data folder>');
const { episodes } = JSON.parse(readFileSync(join(folder, 'characters-dev.json'), 'utf8'));

const service = await openTemporary();
try {
  // Rules were tuned on the first half of each pair of episodes; what is reported of the others was not looked at.
  const parts = {
    'tuned on': episodes.filter((_, n) => n % 2 === 0),
    'held back': episodes.filter((_, n) => n % 2 === 1),
  };
  const rows = [];
  for (const [part, own] of Object.entries({ ...parts, all: episodes })) rows.push([part, await measure(part, own)]);
  for (const [part, figures] of rows) show(part, figures);
} finally {
  await service.close();
}

async function measure(part, own) {
  const { app, deps } = service;
  const access = await service.instance();
  const user = { userId: part };
  const scenes = own.flatMap((episode) => episode.scenes.map((scene) => ({ ...scene, episode: episode.episode_id })));
  for (const [n, scene] of scenes.entries()) {
    const turns = scene.utterances.map((utterance) => ({
      role: 'user',
      name: utterance.speakers.join(' and ') || 'Narrator',
      content: utterance.transcript || '…',
    }));
    await app.submit(access, {
      document: turns,
      documentType: 'meeting-transcript',
      mode: 'long-range',
      documentId: scene.scene_id,
      documentCreatedAt: new Date(Date.UTC(2020, 0, 1 + n)),
      ...user,
    });
    await service.settle();
  }
  const entityOf = await linkedMentions(deps, access);
  const mentions = scenes.flatMap((scene) => labelledMentions(scene));
  const linked = mentions.map((mention) => ({ ...mention, entity: entityOf(mention) }));
  const characterOf = tellCharacter(linked.filter((mention) => mention.kind !== 'pronoun'));
  const spoken = tellCharacter(linked);
  const isRight = (mention) => {
    const tell = mention.kind === 'pronoun' ? spoken : characterOf;
    return mention.entity !== undefined && tell(mention.entity.root) === mention.character;
  };
  const share = (chosen) => ({
    of: chosen.length,
    right: chosen.filter(isRight).length,
    linked: chosen.filter((m) => m.entity).length,
  });
  const people = linked.filter((mention) => mention.isPerson);
  return {
    'names and roles': share(people.filter((mention) => mention.kind !== 'pronoun')),
    '  names': share(people.filter((mention) => mention.kind === 'name')),
    '  roles and descriptions': share(people.filter((mention) => mention.kind === 'noun')),
    'names and roles, also of nobody in particular': share(linked.filter((mention) => mention.kind !== 'pronoun')),
    pronouns: share(people.filter((mention) => mention.kind === 'pronoun')),
    merges: await judgeMerges(deps, access, { linked, scenes }),
    reviews: await deps.db.entityReview.count({ where: { instanceNumber: access.instanceNumber, status: 'open' } }),
    wrong: process.env.SHOW ? people.filter((m) => m.kind !== 'pronoun' && !isRight(m)) : [],
    names: await deps.db.entity.count({ where: { instanceNumber: access.instanceNumber } }),
    entities: (await deps.db.entity.groupBy({ by: ['rootId'], where: { instanceNumber: access.instanceNumber } }))
      .length,
  };
}

/** Which name of which entity a labelled mention was linked to. */
async function linkedMentions({ db }, access) {
  const { instanceNumber, keys } = access;
  const roots = new Map((await db.entity.findMany({ where: { instanceNumber } })).map((row) => [row.id, row.rootId]));
  const documents = new Map(
    (await db.document.findMany({ where: { instanceNumber } })).map((row) => [row.id, row.externalId]),
  );
  const byMemory = new Map();
  for (const row of await db.mention.findMany({ where: { instanceNumber } })) {
    const name = keys.open('mention.name', row.memoryId, row.name);
    const known = byMemory.get(row.memoryId) ?? [];
    byMemory.set(row.memoryId, [...known, { name, leaf: row.entityId, root: roots.get(row.entityId) }]);
  }
  const byTurn = new Map();
  for (const row of await db.memoryEvidence.findMany({ where: { instanceNumber } })) {
    for (const turn of row.turns) {
      const key = `${documents.get(row.documentId)}/${turn}`;
      byTurn.set(key, [...(byTurn.get(key) ?? []), ...(byMemory.get(row.memoryId) ?? [])]);
    }
  }
  return ({ scene, turn, text, speaker }) => {
    const names = byTurn.get(`${scene}/${turn}`) ?? [];
    if (isPronoun(text))
      return /^(?:i|me|my|mine|myself)$/i.test(text) ? names.find((each) => each.name === speaker) : undefined;
    const words = wordsOf(text);
    const fits = (each) => wordsOf(each.name).join(' ') === words.join(' ');
    const partly = (each) => {
      const own = wordsOf(each.name);
      return words.every((word) => own.includes(word)) || own.every((word) => words.includes(word));
    };
    return names.find(fits) ?? names.find(partly);
  };
}

function wordsOf(text) {
  const words = text
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replaceAll('.', '')
    .split(/\s+/);
  return words.filter((word) => !/^(?:my|our|your)$/.test(word));
}

/** Of the merges that were made by themselves, how many join names of one character, as far as labels tell. */
async function judgeMerges({ db }, { instanceNumber, keys }, { linked, scenes }) {
  const labels = linked.filter(({ entity, kind, isPerson }) => entity && kind !== 'pronoun' && isPerson);
  const speakers = new Set(scenes.flatMap((scene) => scene.utterances.flatMap((utterance) => utterance.speakers)));
  const names = new Map(
    (await db.entity.findMany({ where: { instanceNumber } })).map((row) => [
      row.id,
      keys.open('entity.name', row.id, row.name),
    ]),
  );
  const tell = tellCharacter(labels.map((label) => ({ ...label, entity: { root: label.entity.leaf } })));
  const bySpeaker = new Map([...speakers].map((speaker) => [speaker.toLowerCase(), speaker]));
  const characterOf = (id) => bySpeaker.get(names.get(id)) ?? tell(id);
  const judged = (await db.entityMerge.findMany({ where: { instanceNumber, reason: 'automatic' } })).map((merge) => {
    const [one, other] = [characterOf(merge.sourceId), characterOf(merge.targetId)];
    return { one, other, names: [names.get(merge.sourceId), names.get(merge.targetId)], score: merge.score };
  });
  const told = judged.filter(({ one, other }) => one && other);
  return {
    of: told.length,
    right: told.filter(({ one, other }) => one === other).length,
    unjudged: judged.length - told.length,
    wrong: told.filter(({ one, other }) => one !== other),
    all: judged,
  };
}

function show(part, { merges, reviews, names, entities, wrong, ...figures }) {
  console.log(`\n${part}: ${names} names, ${entities} entities, ${reviews} open reviews`);
  for (const [what, { of, right, linked }] of Object.entries(figures)) {
    console.log(`  ${what.padEnd(48)} ${(right / of).toFixed(3)}  (${right} of ${of}; ${linked} linked)`);
  }
  const precision = merges.of ? (merges.right / merges.of).toFixed(3) : '-';
  console.log(
    `  ${'automatic merges of one character'.padEnd(48)} ${precision}  (${merges.right} of ${merges.of}; ${merges.unjudged} without labels)`,
  );
  if (!process.env.SHOW) return;
  for (const each of merges.wrong) console.log('    wrong merge', JSON.stringify(each));
  for (const each of merges.all) console.log('    merge', JSON.stringify(each));
  for (const each of wrong)
    console.log(
      '    wrong',
      each.scene,
      each.speaker,
      '|',
      each.text,
      '=',
      each.character,
      '->',
      each.entity?.name,
      '|',
      each.said.slice(0, 100),
    );
}
