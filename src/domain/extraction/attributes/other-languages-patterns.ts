import { anyWordOf, calendarNames } from '../../language/calendar-names.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';
import { employerSource, notPlacePattern, placeNameSource } from './value-patterns.ts';

// German, Spanish and French: standing orders and the values that a later statement replaces most often, in the forms
// that most people use.

const place = `(?<value>${placeNameSource})`;
const name = String.raw`(?<value>\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'-]+){0,3}`;
const words = String.raw`[\p{L}'-]+(?: [\p{L}'-]+){0,2}?`;

// In German every noun has a capital.
const notPlace = new RegExp(
  String.raw`${notPlacePattern.source}|^(?:Scheidung|Trennung|Angst|Frieden|Sorge|Untermiete|Miete|Hause|Haus|Armut|Partnerschaft|Beziehung|Elternzeit|Rente|Casa|Pareja|Paz|Couple|Paix|Location)\b`,
  'u',
);
const notCompany =
  /^(?:Regen|Nacht|Tag|Tageslicht|Licht|Kerzenlicht|Hitze|Kälte|Schnee|Sonne|Wind|Bedarf|Gelegenheit|Musik)\b/u;
/** Matches a list of things: each of them would be an attribute of its own, and the whole is none. */
const list = / (?:y|e|o|und|oder|et|ou) /u;

/** Words that may stand behind the place: none that could take it back, or say that it is for a while. */
const aside = String.raw`(?:, (?!.*(?<!\p{L})(?:aber|nicht|nur|bis|wenn|pero|no|s[oó]lo|hasta|cuando|mais|pas|seulement|jusqu|quand|vorübergehend|vorerst|zurzeit|derzeit|moment|falls|sobald|temporal\p{L}*|momento|ahora|mientras|si|provisoirement|instant)(?!\p{L})).*)?`;
const germanSubject = '(?:[Ii]ch|[Ww]ir)';
const germanTimes = String.raw`gestern|heute|neulich|letzte[ns]? \p{L}+|vor [\p{L}\d]+ \p{L}+|seit [\p{L}\d ]{2,30}`;
const germanTime = `(?: (?:${germanTimes}))?`;
/** A month or a season tells when somebody moved; beside where they live it says that it is for a while. */
const germanMovedTimes = String.raw`${germanTimes}|diese[ns]? \p{L}+|im \p{Lu}\p{Ll}+`;
const germanMoved = `(?: (?:${germanMovedTimes}))?`;
/** "Übrigens bin ich", "Seit Mai wohne ich": behind them the verb stands before its subject. */
const openingOf = (times: string): string =>
  `(?:[Üü]brigens|[Jj]etzt|[Ii]nzwischen|[Mm]ittlerweile|${times.replace(/(?<=^|\|)\p{Ll}/gu, (first) => `[${first.toUpperCase()}${first}]`)})`;
const germanVerb = (verb: string, times = germanTimes): string =>
  `(?:${germanSubject} ${verb}|${openingOf(times)} ${verb} ${germanSubject})(?: jetzt| inzwischen)?`;
const spanishPast = String.raw`(?:ayer|hace poco|la semana pasada|el (?:mes|año) pasado|hace [\p{L}\d]+ \p{L}+|en \d{4})`;
const spanishTime = String.raw`(?:,? (?:${spanishPast}|hoy|desde [\p{L}\d ]{2,30}))?`;
const spanishMoved = String.raw`(?:,? (?:${spanishPast}|hoy|en (?:${anyWordOf(calendarNames.es.month)})|est[ea] \p{L}+))?`;
const spanishNow = '(?:[Yy]o )?(?:[Aa]hora )?';
const frenchPast = String.raw`hier|récemment|la semaine dernière|le mois dernier|l'an dernier|il y a [\p{L}\d]+ \p{L}+`;
const frenchTime = String.raw`(?:,? (?:${frenchPast}|depuis [\p{L}\d ]{2,30}))?`;
const frenchMoved = String.raw`(?:,? (?:${frenchPast}|en (?:${anyWordOf(calendarNames.fr.month)})|cette \p{L}+))?`;

const germanOrder = '(?:(?:[Bb]itte|[Aa]b (?:jetzt|sofort)|[Kk]ünftig|[Ii]n Zukunft) )?';
const germanReply = '(?:[Aa]ntworte|[Ss]prich)';
const germanStanding = '(?:immer|stets|niemals|nie|künftig|in Zukunft|ab jetzt|ab sofort)';
const spanishOrder = '(?:[Pp]or favor,? |(?:[Aa] partir de|[Dd]esde) ahora,? |[Dd]e ahora en adelante,? )?';
const spanishReply = '(?:[Cc]ontest|[Rr]espond)[ae]';
const spanishReplyToMe = '(?:[Cc]ontést|[Ee]scríb|[Hh]ábl|[Rr]espónd)[ae](?:me|nos)';
/** "Mándame": with the pronoun behind it, a verb with an accent is an order, or a gerund. */
const spanishToMe = String.raw`(?=\p{L}*[áéí])(?!\p{L}+ndo)\p{L}+(?:me|nos)`;
const frenchOrder = "(?:(?:[Àà] partir (?:de maintenant|d'aujourd'hui)|[Dd]ésormais),? )?";
const frenchReply = '(?:[Éé]cri(?:s|vez)|[Pp]arle[sz]?|[Rr]épond(?:s|ez))';
const frenchPlease = "(?:,? (?:s'il (?:te|vous) pla[iî]t|stp|svp))?";
const languages = {
  english: /englisch|inglés|anglais/iu,
  french: /französisch|francés|français/iu,
  german: /deutsch|alemán|allemand/iu,
  spanish: /spanisch|español|castellano|espagnol/iu,
};
const language = `(?<value>${Object.values(languages)
  .map(({ source }) => source)
  .join('|')})`;

export const otherLanguagesPatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'residence', except: notPlace }, [
    `${germanVerb('(?:wohnen?|leben?)')}${germanTime} in ${place}${germanTime}${aside}`,
    `${germanVerb('(?:bin|sind)', germanMovedTimes)}${germanMoved} nach ${place} (?:um)?gezogen${aside}`,
    `${spanishNow}(?:[Vv]iv(?:o|imos)|[Rr]esido) (?:ahora )?en ${place}${spanishTime}${aside}`,
    `(?:[Mm]e (?:he mudado|mudé)|[Nn]os hemos mudado) a ${place}${spanishMoved}${aside}`,
    // "Nos mudamos a Girona este verano" may be a plan: present and past are one form.
    `[Nn]os mudamos a ${place},? ${spanishPast}`,
    `(?:[Jj]'habite|[Oo]n habite|[Nn]ous habitons|[Jj]e vis)(?: maintenant)? (?:à|en|au) ${place}${frenchTime}${aside}`,
    `(?:[Jj]'ai|[Oo]n a|[Nn]ous avons) déménagé (?:à|en|au) ${place}${frenchMoved}${aside}`,
  ]),
  ...patternsOf({ name: 'residence', except: notPlace, sense: 'denies' }, [
    `${germanSubject} (?:wohnen?|leben?) nicht(?: mehr)? in ${place}`,
    `(?:[Yy]a )?[Nn]o viv(?:o|imos) en ${place}`,
    `[Jj]e (?:n'habite|ne vis) (?:plus|pas) à ${place}`,
  ]),
  ...patternsOf({ name: 'allergy to $', isStemmed: true, except: list }, [
    { value: 'yes', source: `[Ii]ch bin (?:stark )?allergisch (?:gegen|auf) (?<of>${words})` },
    { value: 'no', source: `[Ii]ch bin nicht(?: mehr)? allergisch (?:gegen|auf) (?<of>${words})` },
    { value: 'yes', source: `(?:[Yy]o )?[Ss]oy (?:muy )?alérgic[oa] (?:al|a(?: l[ao]s?)?) (?<of>${words})` },
    { value: 'no', source: `(?:[Yy]a )?[Nn]o soy alérgic[oa] (?:al|a(?: l[ao]s?)?) (?<of>${words})` },
    { value: 'yes', source: `[Jj]e suis (?:très )?allergique (?:aux?|à(?: la| l')?) ?(?<of>${words})` },
    { value: 'no', source: `[Jj]e ne suis (?:plus|pas) allergique (?:aux?|à(?: la| l')?) ?(?<of>${words})` },
  ]),
  ...patternsOf({ name: 'employer', except: notCompany }, [
    `[Ii]ch arbeite(?: jetzt)? bei ${employerSource}${germanTime}`,
    `${spanishNow}[Tt]rabajo para ${employerSource}${spanishTime}`,
    `[Jj]e travaille(?: maintenant)? chez ${employerSource}${frenchTime}`,
  ]),
  ...patternsOf({ name: 'name' }, [`[Ii]ch hei(?:ß|ss)e ${name}`, `[Mm]e llamo ${name}`, `[Jj]e m'appelle ${name}`]),
  ...patternsOf({ name: 'nickname' }, [
    `${germanOrder}[Nn]enne? mich(?: bitte)? ${name}`,
    `${spanishOrder}[Ll]l[aá]m[ae]me ${name}`,
    `${frenchOrder}[Aa]ppelle[sz]?-moi ${name}${frenchPlease}`,
  ]),
  ...patternsOf({ name: 'answer language', values: languages, flags: 'iu' }, [
    `${germanOrder}${germanReply}(?: (?:mit )?(?:mir|uns)| bitte| ${germanStanding})*(?: auf)? ${language}(?: mit (?:mir|uns))?`,
    `${spanishOrder}(?:${spanishReply}|${spanishReplyToMe})(?: siempre)? en ${language}`,
    `${frenchOrder}(?:[Rr]épond(?:s|ez)|${frenchReply}(?:-(?:moi|nous)(?: toujours)?| toujours)) en ${language}${frenchPlease}`,
  ]),
  // "Kaufe mir nie wieder" may leave out its "ich", and "responde siempre" its "ella": there the model must half agree.
  ...patternsOf({ name: 'order to $', value: 'so', isStemmed: true }, [
    {
      source: String.raw`${germanOrder}(?<of>(?:${germanReply}|(?!H[aä](?:b|tt))\p{Lu}\p{Ll}+ (?:mir|mich|uns))(?: bitte)? ${germanStanding} .+)`,
      needsRule: true,
    },
    { source: `${spanishOrder}(?<of>${spanishReply} siempre .+)`, needsRule: true },
    { source: String.raw`(?<of>[Nn]unca (?:me|nos) \p{L}+[ae]s .+)`, needsRule: true },
    `${spanishOrder}(?<of>${spanishToMe} siempre .+)`,
    String.raw`${frenchOrder}(?<of>(?:\p{L}+-(?:moi|nous)|[Rr]épond(?:s|ez)) toujours .+?)${frenchPlease}`,
    String.raw`${frenchOrder}(?<of>[Nn]e (?:me |m'|nous )\p{L}+[esz] (?:plus )?jamais .+?)${frenchPlease}`,
  ]),
];
