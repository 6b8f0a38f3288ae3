import {
  animalCueBefore,
  personApposition,
  employerCueBefore,
  kinCueBefore,
  organizationNouns,
  personCueBefore,
  personStateAfter,
  personVerbAfter,
  placeNouns,
  productCueBefore,
  projectNounAfter,
} from './name-cues.ts';
import { isKnownPlace } from './known-places.ts';

export const nameKinds = ['person', 'organization', 'place', 'project', 'product', 'animal', 'other'] as const;
export type NameKind = (typeof nameKinds)[number];

/** The words around a name. */
export interface NameContext {
  readonly before: string;
  readonly rest: string;
  /** Whether the name is the first word of its sentence. */
  readonly isFirst: boolean;
}

/** The kind of thing that a name denotes, by its own words and those around it; undefined where nothing tells. */
export function inferNameKind(name: string, { before, rest, isFirst }: NameContext): NameKind | undefined {
  const last = name
    .replace(/ of .*$/u, '')
    .split(' ')
    .at(-1)!
    .toLowerCase();
  const isOwner = /^['’]s?(?![\p{L}])/u.test(rest); // "at Priya's" is not the place Priya
  if (projectNounAfter.test(rest) || /\bproject\s+$/iu.test(before)) return 'project';
  if (organizationNouns.has(last)) return 'organization';
  if (!isOwner && isEmployer(before, rest)) return 'organization';
  if (placeNouns.has(last)) return 'place';
  if (animalCueBefore.test(before)) return 'animal';
  if (/^(?:Mr|Mrs|Ms|Dr|Prof)\b/u.test(name) || personCueBefore.test(before) || personApposition.test(rest))
    return 'person';
  const called = calledKind(before);
  if (called) return called;
  if (toolBefore.test(before)) return 'product';
  if (noPlaceIn.test(before)) return undefined;
  if (!isOwner && (visited.test(before) ? !isIn.test(rest) : isWhere(before))) return 'place';
  if (
    (personVerbAfter.test(rest) && !ofFirms.test(rest)) ||
    isCompanion(name, before) ||
    (visited.test(before) && !isOwner)
  )
    return 'person';
  if (productCueBefore.test(before) || /\p{Ll}\p{Lu}|\d/u.test(name)) return 'product';
  return isFirst && personStateAfter.test(rest) ? 'person' : undefined;
}

const post = String.raw`(?:job|role|position|internship|contract|team|colleagues?|coworkers?|engineer|designer|developer|manager|analyst|consultant|intern|director|recruiter|offer)`;
const hiring = new RegExp(
  String.raw`\b(?:(?:intern(?:ed|ing)|stud(?:y|ies|ied|ying)|enrolled|consult(?:ed|ing)|started (?:working )?|${post})\s+at|(?:job|work|contract|internship)\s+offer\s+from|recruiter\s+(?:from|at)|hired\s+by|(?:quit|resigned\s+from|laid\s+off\s+(?:by|from)))\s+(?:the\s+)?$`,
  'iu',
);
const joining = /\b(?:join|joins|joined|joining)\s+(?:the\s+)?$/iu;

/** "I joined Larkfield as a nurse", but not "I joined Odile for lunch". */
function isEmployer(before: string, rest: string): boolean {
  if (employerCueBefore.test(before) || hiring.test(before)) return true;
  if (joining.test(before)) return !/^\s+(?:for|at|on|and|with|later|too)\b/u.test(rest);
  return (
    /\bat\s+(?:the\s+)?$/u.test(before) && /^\s+as\s+(?:an?|the|their|head|chief|senior|junior|lead)\b/u.test(rest)
  );
}

/** "An app called Quillon": what stands before the name says what has it. */
function calledKind(before: string): NameKind | undefined {
  const noun = /(\p{L}+),?\s+(?:(?:is|was)\s+)?(?:called|named)\s+$/u.exec(before)?.[1]?.toLowerCase();
  if (!noun) return undefined;
  if (organizationNouns.has(noun) || /^(?:firm|startup|start-up|charity|bar|pub|shop|store|brand)$/u.test(noun))
    return 'organization';
  if (placeNouns.has(noun)) return 'place';
  return things.test(noun) ? 'product' : 'person';
}

const things =
  /^(?:app|tool|language|library|game|book|novel|film|movie|song|album|show|series|podcast|product|framework|phone|car|boat|ship|drink|dish|beer|wine|medicine|drug|website|site|service|program|course|play|painting)$/u;
const toolBefore =
  /\b(?:us(?:e|es|ed|ing)|(?:written|coded?|coding|programm\w*|implemented|rewritten|rewrote|built|buil(?:d|ds|ding)\s[^.,;]{1,30})\s+(?:in|with|on)|learn(?:ing|ed|t)?|(?:migrat|switch|upgrad)\w+\s+(?:to|from)|installed)\s+$/iu;
/** Words behind which "in" and "to" lead to no place. */
const noPlaceIn =
  /\b(?:invest\w*|shares?|stocks?|believ\w*|trust|confidence|interest\w*|faith|experience|expert|lessons?|degree|certif\w*|course|class|fluent|role|starr?\w*)\s+(?:in|at|to)\s+$/iu;

const where = /\b(?:in|near|outside|towards?|across|throughout|around)\s+(?:the\s+)?$/u;
const going = String.raw`(?:mov(?:e|es|ed|ing)|relocat\w+|emigrat\w+|go|goes|going|gone|went|been|travel\w*|fl(?:y|ies|ying|ew|own|ights?)|driv(?:e|es|ing|en)|drove|rode|cycl(?:e|ed|ing)|sail(?:ed|ing)?|walk(?:ed|ing)?|hik(?:ed|ing)|trips?|journey|vacation|getaway|holiday|cruise|com(?:e|es|ing)|came|return\w*|back|home|trains?|bus|ferry|way|road|head(?:ed|ing|s)|off|welcome|commut\w+|took|take|taking|arriv\w+|depart\w*|evacuated)`;
/** Words that may stand between a verb of going and its place: "back", "with Odile", "to Graz", "the kids". */
const aside = String.raw`(?:\s+(?:only|just|straight|\d+|back|here|there|home|away|out|over|down|up|all|the way|abroad|together|me|us|him|her|them|(?:my|our|the)\s(?:kids|children|family|parents|wife|husband|son|daughter)|with\s(?:(?:my|the|our)\s)?\S+|(?:to|from|in|via)\s(?:the\s)?\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?|on\s\p{Lu}\p{Ll}+|(?:last|this|next)\s\p{Ll}+|(?:a|\d+)\s\w+\sago)){0,4}`;
const motion = new RegExp(String.raw`\b${going}${aside}\s+(?:to|from)\s+(?:the\s+)?$`, 'u');
const arriving =
  /\b(?:arriv\w+|land(?:ed|ing|s)?|stay(?:ed|ing|s)?|stopp?(?:ed|ing|s)?|camp(?:ed|ing))\s+(?:over\s+)?at\s+$/u;
const leaving =
  /\b(?:left|leav(?:e|es|ing)|head(?:ed|ing|s)?|depart\w*|set off|bound)(?:\s+\p{Lu}[\p{L}-]+)?\s+for\s+$/u;
const origin =
  /(?:\b(?:I|we|you|he|she|they|who|family|parents|mother|father|wife|husband|friends?|\p{Lu}\p{Ll}+)(?:\s+(?:am|are|is|was|were)|['’](?:m|re|s))|\boriginally|\b(?:hails?|someone|people))\s+(?:\p{Ll}+ly\s+)?from\s+(?:the\s+)?$/u;
const visited = /\b(?:visit(?:s|ed|ing)?|tour(?:ed|ing)?|explor(?:e|ed|es|ing))\s+(?:the\s+)?$/u;
/** Places that somebody is in; months are no places. */
const isIn =
  /^\s+(?:in|at)\s+(?:(?:the\s+)?hospital|home|(?!January|February|March|April|May|June|July|August|September|October|November|December)(?:the\s+)?\p{Lu})/u;

const isWhere = (before: string): boolean =>
  where.test(before) || motion.test(before) || arriving.test(before) || leaving.test(before) || origin.test(before);

/** Verbs of which both firms and people are the subject. */
const ofFirms =
  /^\s+(?:\p{Ll}+ly\s+)?(?:released|launched|announced|acquired|hired|unveiled|shipped|raised|works\s(?:with|well))\b/u;

const near = (list: string, word: string) => String.raw`\b(?:${list})\b[^.,;:]{0,25}\s${word}`;
const companion = new RegExp(
  String.raw`(?:${[
    String.raw`\b(?:tell|told|asks?|asked|meet|meeting|met|thank|thanked|hug|hugged|helped|married|marry|dating|emailed|texted|phoned|called|calling|invited|miss|missed|copied|said|says|say|love you|named|congratulate)`,
    near(
      String.raw`talk\w*|spoke|speak\w*|spoken|wrote|writ\w+|said|say|gave|giv\w+|sent|send\w*|lent|show\w*|introduc\w+|married|engaged|next|close|apologi\w+|listen\w*|explain\w*|happened|promised|proposed|delegat\w*|reach\w* out|suggest\w*|assign\w*|report\w*|recommend\w*|forward\w*|hand\w*|did|done|hello|hi|goodbye|thanks|letter`,
      'to',
    ),
    String.raw`\b(?:me|you|I|him|her|us|them)\s+and`,
    near('gift|present|card|cake|surprise|flowers|happy|babysit\\w*|car(?:e|ing)|wait\\w*|worried|sorry', 'for'),
    near('hear|heard|feedback|letter|note|card|postcard|gift|present|hug|kiss|advice|borrow\\w*', 'from'),
    String.raw`\b(?:written|painted|cooked|sung|directed|composed|reviewed|drafted|suggested|told|invited|raised)\s+by`,
  ].join('|')})\s+$`,
  'iu',
);
/** Words behind which "with" is with no person: one builds with tools and banks with banks. */
const notWithPeople =
  /\b(?:app|apps|made|makes?|making|develop\w*|deploy\w*|integrat\w*|works?|experiment\w*|experience|familiar|compatible|account|bank|insur\w*|policy|contract|subscription|order\w*|booked|flights?|job|position|interview|data|project|site|code|prototype|automat\w*|replac\w*|partner\w*)\b[^.,;:]{0,25}\swith\s+$/iu;

function isCompanion(name: string, before: string): boolean {
  if (/\bwith\s+$/u.test(before)) return !notWithPeople.test(before);
  if (/\bby\s+$/u.test(before) && name.includes(' ')) return true;
  return companion.test(before);
}

const affiliation = /^\s+(?:at|from|of)\s+(?:the\s+)?$/u;
/** Whether two names are those of somebody and of what they belong to: "Odile Brandt of Quillon", "Odile from Graz". */
export const isAffiliation = (between: string): boolean => affiliation.test(between);

/** Whether one works with whom the next name denotes. */
export const isColleague = (before: string): boolean =>
  /\bwork(?:s|ed|ing)?(?:\s+\p{Ll}+ly|\s+together)?\s+with\s+$/u.test(before);

const meeting =
  /\b(?:meet(?:s|ing)?|met|see|saw|seen|stay\w*|ate|lunch|dinner|breakfast|brunch|coffee|drinks?|party|wedding|married|visit\w*)\b/iu;

/**
 * The kind of what a person is at, from or of: a place that is known, or else a firm. Undefined where it may be a place
 * that few know, since they are kin, only met there, or from there, and where it is somebody's.
 */
export function affiliationKind(
  name: string,
  { between, before, rest }: { readonly between: string; readonly before: string; readonly rest: string },
): NameKind | undefined {
  if (isKnownPlace(name)) return 'place';
  const isElsewhere = /\bat\b/u.test(between) ? meeting.test(before) : kinCueBefore.test(before);
  return isElsewhere || /\bfrom\b/u.test(between) || /^['’]s\b/u.test(rest) ? undefined : 'organization';
}

/** Two names of one list are of one kind: "Georgia and Jordan", "Graz, Styria". */
export const isInNameList = (between: string, rest: string): boolean =>
  /^\s*(?:,|,?\s+(?:and|or|&))\s+$/u.test(between) &&
  /^(?:[.,;:!?)]|$|\s+(?:and|or|for|in|on|at|with|this|next|last|during|together|as)\b)/u.test(rest);
