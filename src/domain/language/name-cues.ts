import { englishMonths, englishWeekdays } from './calendar-names.ts';
import { codeBlockSource } from './code-blocks.ts';
import { kinshipSource, occupationSource } from './person-words.ts';
import { wordSet } from './word-set.ts';

// Words in and around a name in English, by which names are told from other capitals and from each other.

// Capitalised in English, and the name of nothing that one keeps a record of.
export const calendarWords = wordSet(`
  ${[...englishMonths, ...englishWeekdays, ...englishWeekdays.map((day) => `${day}s`)].join(' ').toLowerCase()} christmas easter halloween
  thanksgiving english french german spanish italian portuguese dutch russian chinese japanese korean arabic hindi turkish
  polish greek swedish danish norwegian finnish irish scottish welsh british american canadian mexican brazilian indian
  african asian european australian latin hebrew catholic christian muslim jewish buddhist hindu god internet section
  chapter figure table appendix page part step phase version option note ok pm am tv pc id faq ceo cfo cto coo hr mr mrs
`);
export const organizationNouns = wordSet(`
  lab labs laboratory studio studios institute university college school schools academy trust group press systems partners
  network orchard garden gardens nursery logistics extension bank inc ltd llc gmbh corp corporation company co foundation
  association society council committee hospital clinic church club museum library agency department ministry center centre
  capital ventures holdings industries technologies solutions services consulting airlines orchestra quartet band choir
  sciences science consortium union federation coalition authority bureau office restaurant cafe bakery hotel theatre
  magazine times journal team marine motors foods pharma energy media records software analytics collective
`);
export const placeNouns = wordSet(`
  street road avenue lane square park lake river mountain mountains mount beach bay island islands city town village county
  valley hill hills bridge airport station forest coast harbour harbor canyon falls district peninsula ocean sea desert
`);
export const projectNounAfter =
  /^\s+(?:project|pipeline|repo|repository|codebase|initiative|campaign|framework|dashboard|app|tool|prototype|model|rules|engine)\b/u;
const roles = `${occupationSource}|director|coordinator|author|maintainer|founder|auditor|engineer|postdoc|designer|developer|researcher|scientist|analyst|editor|nurse|captain|president|chairman|CEO|CFO|CTO|COO`;
const animals =
  'dog|cat|puppy|kitten|horse|parrot|rabbit|hamster|pony|beagle|terrier|spaniel|labrador|retriever|tabby|tortoise|turtle|guinea pig|goldfish|bird|pet';
const someone = String.raw`(?:${kinshipSource}|${roles}|${animals}|man|men|woman|guy|boy|girl|lady|kid|child|baby|person)`;
/** Matches a noun for a person or an animal, by kinship, work or kind. */
export const personNoun = new RegExp(String.raw`\b${someone}\b`, 'giu');
export const personCueBefore = new RegExp(
  String.raw`\b(?:Mr|Mrs|Ms|Dr|Prof|${kinshipSource}|${roles})s?\.?(?: is| was| named| called|,)?\s+$`,
  'u',
);
export const kinCueBefore = new RegExp(String.raw`\b(?:${kinshipSource})s?(?: is| was| named| called|,)?\s+$`, 'u');
/** Whether a month is the name of a person: "My friend April", "June told me". */
export const isPersonalMonth = (word: string, { before, rest }: { before: string; rest: string }): boolean =>
  /^(?:April|May|June|August)$/u.test(word) &&
  !/^\s+\d/u.test(rest) &&
  (personCueBefore.test(before) ||
    /\b(?:called|named)\s+$/u.test(before) ||
    (/^\s+(?:said|says|told|asked|thinks|lives|loves|likes|wants|called)\b/u.test(rest) &&
      !/\b(?:in|on|last|next|this|since|until|by|of|early|mid|late)[\s-]+$/iu.test(before)));
export const animalCueBefore = new RegExp(String.raw`\b(?:${animals})s?(?: is| was)?(?: named| called|,)?\s+$`, 'u');
// One works with people as often as with firms, but has a job with a firm.
export const employerCueBefore =
  /\b(?:(?:work(?:s|ed|ing)?|joined|hired)\b[^.]{0,20}\s(?:at|for|by)|(?:job|employed|position|internship|interview(?:ed)?)\b[^.]{0,20}\s(?:at|for|by|with))\s+(?:the\s+)?$/u;
export const productCueBefore =
  /\b(?:drive|drives|bought|own|owns|ride|using|use|uses|installed|is|an?)\s+an?\s+$|\b(?:an?)\s+$/u;
export const personApposition = new RegExp(
  String.raw`^,?\s+(?:,\s*)?(?:who\b|(?:my|our|his|her|their|the|an?)\s(?:[\w-]+\s){0,3}?(?:${kinshipSource}|${roles})\b)`,
  'u',
);
// Actions of people: after a subject of one capitalised word at the head of a sentence, they tell a name from a noun.
export const personVerbAfter =
  /^(?:,? who)?\s+(?:\w+ly\s+)?(?:said|says|told|thinks?|thought|wants?|wanted|knows?|knew|loves?|likes?|hates?|prefers?|favou?rs?|dislikes?|enjoys?|asks|tells|can't stand|cannot stand|lives?|works?|met|went|came|gave|got|took|made|did|wrote|ran|left|bought|brought|felt|saw|found|spoke|sent|kept|taught|won|put|sat|read|paid|built|led|began|chose|drove|flew|and I|and the|\p{Ll}{2,}ed\s(?:\p{Lu}|\d|(?:the|an?|my|our|his|her|their|its|that|to|on|in|for|with|from|out|up|through|over|at|by|off|into|closely|one|two|three|four|five|six|seven|several|some|both|me|us|him|them|she|he|they|it)\b))(?<=\p{Lu}|\b)/u;
// Descriptions of people only: they tell "Priya is vegetarian" from "Yoga is fun".
export const personStateAfter = new RegExp(
  String.raw`^\s+(?:(?:is|was|has been|got|will be)\s(?:now |also |still |really |very |so |not )*(?:an?\s(?:[\w-]+\s){0,2}(?:${roles}|${animals}|vegetarian|vegan|chef|pilot|architect)|(?:my|our|his|her)\s(?:[\w-]+\s){0,2}(?:${kinshipSource}|${roles})|vegetarian|vegan|allergic|pregnant|married|single|engaged|divorced|retired|born|ill|sick|tired|late|angry|worried|excited|happy|sad|upset|proud|hungry|from\s\p{Lu}|in\s\p{Lu}|on leave|on holiday|in charge|responsible|away|moving|coming|arriving|leaving|getting|going|working|learning|\d+\b)|(?:has|had)\s(?:\w+\s){1,2}(?:${kinshipSource}|${animals}|kids|children|daughters|sons|brothers|sisters|allergy|cold|fever)s?\b|(?:has|had)\sbeen\s(?:waiting|working|thinking|looking|asking|trying|planning|living|talking|reading|writing)\b|(?:will|would|can|could)\s(?:not )?(?:come|join|call|visit|help|bring|send|arrive|review|attend|speak|play|sing)\b)`,
  'u',
);
const joiners = 'de|van|von|der|den|da|di|del|della|la|le|el|al|bin|ibn|du|dos';
export const capitalisedWordSource = String.raw`(?:\p{Lu}[\p{L}\p{M}\p{N}]*(?:['’](?!s\b)\p{L}+)?(?:-[\p{L}\p{N}]+)*)`;
/** Candidates for names: capitalised words, and the words that join them. */
export const capitalisedSpan = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@/.])(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St)\.?\s)?${capitalisedWordSource}(?:(?:\s(?:(?:${joiners})\s){1,2}|\s(?:of|&)\s(?:the\s)?|\s)${capitalisedWordSource})*`,
  'gu',
);

// Code, headings, labels before a colon and lines in title case: their capitals name nothing.
const headingOrLabel =
  /`[^`\n]*`|^[ \t]{0,8}#{1,6}[ \t].*$|^[ \t]{0,8}(?:[-*•]|\d+[.)])?[ \t]{0,4}\*\*[^*\n]{1,60}\*\*:?|^[ \t]{0,8}(?:[-*•]|\d+[.)])[ \t]{1,4}[^:.\n]{1,50}:|^(?:\p{Lu}[^\s]*[ \t]+){3,}\p{Lu}[^\s.!?]*$/u;
export const nonProsePattern = new RegExp(`${codeBlockSource}|${headingOrLabel.source}`, 'gmu');
