// The labels of the character identification corpus: spans of tokens with the characters that they mean.

const pronouns = new Set(
  "i me my mine myself you your yours yourself ya y'all thy d'you he him his himself she her hers herself it its itself one i-i-i-i 'em em they them their".split(
    ' ',
  ),
);

export const isPronoun = (text) =>
  text
    .toLowerCase()
    .split(' ')
    .every((word) => pronouns.has(word));

/** Mentions of one character, or of somebody who is none (`isPerson` is false), with the words around them. */
export const labelledMentions = (scene) =>
  scene.utterances.flatMap((utterance, turn) =>
    (utterance.character_entities ?? []).flatMap((mentions, sentence) =>
      mentions
        .filter(([, , ...characters]) => characters.length === 1)
        .map(([from, to, character]) => {
          const text = utterance.tokens[sentence].slice(from, to).join(' ');
          const kind = isPronoun(text) ? 'pronoun' : /^\p{Lu}/u.test(text) ? 'name' : 'noun';
          const isPerson = !character.startsWith('#') && character !== 'Unknown';
          return {
            scene: scene.scene_id,
            turn,
            text,
            kind,
            character,
            isPerson,
            speaker: utterance.speakers.join(' and '),
            said: utterance.transcript,
          };
        }),
    ),
  );

/** The most frequent character of each entity. */
export function tellCharacter(linked) {
  const counts = new Map();
  for (const { entity, character, isPerson } of linked) {
    if (!entity || !isPerson) continue;
    const count = counts.get(entity.root) ?? new Map();
    counts.set(entity.root, count.set(character, (count.get(character) ?? 0) + 1));
  }
  return (root) => [...(counts.get(root) ?? [])].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}
