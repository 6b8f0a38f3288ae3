import { postSource } from '../../language/person-words.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';

const weekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const properNounSource = String.raw`(?:the )?\p{Lu}[\p{L}\p{N}.'&-]*(?:,? (?:(?:of|the|de|la|le|upon|on(?! ${weekday})|and|&) )?\p{Lu}[\p{L}\p{N}.'&-]*){0,4}`;
export const placeNameSource = properNounSource.replace('|and|&', '');
export const personNameSource = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}`;
// Words that may follow a value without changing it. With any others ("on Fridays", "for a week", "as a child") no
// attribute is taken.
const when = String.raw`(?:(?:last|this|next) \p{L}+|yesterday|today|on ${weekday}|in (?:\p{Lu}\p{L}+|\d{4})|(?:\p{Ll}+|\d+) (?:days?|weeks?|months?|years?) ago|since \p{L}*\s?\d*)`;
const company = String.raw`(?:with|alongside) (?:my|our|\p{Lu})[\p{L}' -]+`;
const because = String.raw`(?:because|since|for (?:a |my |the )?(?:\p{Ll}+ )?(?:work|job|university|uni|college|school|studies|love)|to (?:be|study|work|start|live)\b)(?: .*)?`;
const more = String.raw`and (?:I|we|my|our|work|have|am|love|enjoy|drive|it is|she|he)\b.*`;
// "I moved to York, it was exhausting": a word on the move, and none that could take it back.
const comment = String.raw`(?:and )?(?:it|that|which) (?:is|was|has been) (?!not\b|only\b|until\b)[\p{L}']+(?: [\p{L}']+){0,4}`;
// "I moved to York, so it is 12 Mill Lane now": what follows from it, and nothing that could take it back.
const consequence = String.raw`so (?:please|the|it(?:['’]s| is| will)|there(?:['’]s| is| are)) (?!.*\b(?:not|only|until|for now)\b).*`;
export const trailingDetailSource = String.raw`(?:,? (?:${when}|${company}|${because}|${more}|${comment}|${consequence}))*`;
const dwellers = String.raw`(?:I|we|(?:my [\p{Ll}-]+|\p{Lu}\p{Ll}+) and I)`;

/** "I moved to Linux", "I moved to Sales", "I live in Fear": capitals that are no place of residence. */
export const notPlacePattern =
  /^(?:the (?:\p{L}+ )?(?:team|office|department|group|app|cloud)|(?:Linux|Ubuntu|Debian|Windows|Mac|MacOS|Android|iOS|iPhone|Python|Java|JavaScript|TypeScript|Rust|Go|Golang|Kotlin|Swift|Ruby|React|Vue|Angular|Svelte|Node|Deno|Bun|Postgres|PostgreSQL|MySQL|SQLite|Mongo\w*|Redis|Docker|Kubernetes|AWS|Azure|GCP|Git\w*|Slack|Teams|Zoom|Discord|Notion|Obsidian|Evernote|Trello|Jira|Asana|Linear|Gmail|Outlook|Chrome|Firefox|Safari|Vim|Neovim|Emacs|VS|VSCode|Spotify|Netflix|Sales|Marketing|Engineering|Product|Finance|Accounting|HR|Design|Operations|Support|Legal|Research|Management|Done|Progress|Review|Backlog|Archive|Trash|Inbox|Production|Staging|Main|Master|Plan|Phase|Step|Stage|Chapter|Level|Section|Room|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|God|Jesus|I)\b)|\b(?:Labs?|Inc|Ltd|LLC|Corp|GmbH|Systems|Technologies|Solutions|Group|Bank|University|Institute|Hospital|Partners|Studios?)\b|\d/u;
export const notPersonPattern =
  /^(?:the|a|an|very|on|not|from|I|\p{L}+(?:ish|ese)|American|Canadian|Mexican|Indian|Italian|German|French|Dutch|Russian|Australian|African|Asian|European|Greek|Portuguese|Norwegian|Brazilian|Korean|Ukrainian|Egyptian|Catholic|Muslim|Jewish|Christian|Hindu)$/u;

export const meetingSource = String.raw`(?:my|our|the) (?:[\p{L}-]+ ){0,3}?(?:meeting|stand-?up|sync|call|class|lesson|session|practice|rehearsal|training|shift|review|retro|seminar|lecture|appointment|check-in|book club|game night)`;
export const employerSource = `(?<value>${properNounSource})`;
export const carSource = String.raw`(?<value>\p{Lu}[\p{L}\p{N}-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}-]*){0,2})`;
export const anyMoreSource = '(?: any ?more| any longer)';
const usedCar = String.raw`(?:new |used |(?:19|20)\d\d |\p{Ll}+ ){0,2}${carSource}`;
const digits = String.raw`[+(]?\d[\d ()./-]{4,18}\d`;
const address = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;

/** The ways of giving an attribute its one value. */
export const valuePatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'residence', except: notPlacePattern }, [
    `${dwellers} (?:have )?(?:live|am living|are living|reside|am based|are based|am located) in (?<value>${placeNameSource})${trailingDetailSource}`,
    `(?:${when},? )?${dwellers} (?:have )?(?:moved|relocated|moved house) (?:back |house |home |out |over |(?:here |away )?from ${placeNameSource} )*to (?<value>${placeNameSource})(?: from (?:${placeNameSource}|here))?${trailingDetailSource}`,
    `(?:my|our) (?:new |current |own )?(?:home|house|flat|apartment|place) is in (?<value>${placeNameSource})${trailingDetailSource}`,
  ]),
  ...patternsOf({ name: 'residence' }, [
    `(?:my|our) (?:new |current )?(?:home )?address (?:is|has changed to|changed to) (?<value>\\d.{5,60}|${placeNameSource})`,
  ]),
  ...patternsOf({ name: 'employer' }, [
    `I (?:work|am working|am employed) (?:full[- ]time )?(?:at|by) ${employerSource}${trailingDetailSource}`,
    `I (?:have )?(?:started|got|took|accepted|began|landed|have) (?:a|my) (?:new )?(?:job|position|role) (?:at|with) ${employerSource}${trailingDetailSource}`,
    `I (?:have )?(?:started|began) (?:work|working) (?:at|for) ${employerSource}${trailingDetailSource}`,
    `I (?:have )?joined ${employerSource} as (?:an?|the|their|head) .+`,
    `my (?:new |current )?(?:employer|company) is (?:called )?${employerSource}`,
    `my (?:new |current )job is (?:at|with) ${employerSource}${trailingDetailSource}`,
  ]),
  ...patternsOf({ name: '$phone' }, [
    `my (?:new )?(?<of>work |home |office )?(?:(?:mobile|cell|cell ?phone|phone|telephone|contact) )?(?:number|phone) (?:is|has changed to|changed to|was changed to) (?<value>${digits})`,
  ]),
  ...patternsOf({ name: '$email' }, [
    `my (?:new )?(?<of>work |personal |private |business |school )?e-?mail(?: address)? (?:is|has changed to|changed to|was changed to) (?<value>${address})`,
  ]),
  ...patternsOf({ name: '$', except: notPersonPattern }, [
    `my (?:new |current )?(?<of>${postSource})(?: is(?: called| named)?|'s name is) (?<value>${personNameSource})`,
    `(?<value>${personNameSource}) (?:is|became) my (?:new |current )?(?<of>${postSource})`,
  ]),
  ...patternsOf({ name: 'favourite $', except: /\b(?:but|because|and|or|is|are|was|followed|although|depends)\b/u }, [
    `my (?:new |all-time )?favourite (?!thing|part|bit|moment|memory|one|way|line|time)(?<of>(?:\\p{L}+ ){0,2}\\p{L}*[^s\\W]) is (?:called )?(?<value>(?!when|that|how|what|to |because|not |in |on |at |\\p{Ll}+ing )[\\p{L}\\p{N}.'&-]+(?: [\\p{L}\\p{N}.'&-]+){0,4})`,
  ]),
  ...patternsOf({ name: 'age' }, [
    `I (?:am|have turned|turned) (?<value>[1-9]\\d)(?: years? old| years? of age)?(?:,? ${when})?`,
  ]),
  ...patternsOf({ name: 'marital status' }, [
    `(?:I|we) (?:am|are|got|have got|have become) (?:happily )?(?<value>single|married|divorced|engaged|widowed|separated)(?: to (?:my \\p{L}+ )?${personNameSource})?(?:,? ${when})?`,
  ]),
  ...patternsOf({ name: 'car' }, [
    `(?:I|we) drive (?:an?|my|the) ${usedCar}`,
    `(?:my|our) (?:new )?car is an? ${usedCar}`,
    `(?:I|we) (?:have )?(?:sold|traded in|scrapped|got rid of) (?:my|our|the) [\\p{L}\\p{N} -]{2,30},? and (?:I )?(?:drive|bought|have|got) an? (?:new |used )?${carSource}`,
  ]),
  ...patternsOf({ name: 'day of $' }, [
    `(?<of>${meetingSource}) (?:is|takes place|happens|are) (?:on |every )(?<value>${weekday}s|(?<=every )${weekday})(?: (?:at|from) .{1,20})?`,
    `(?<of>${meetingSource}) (?:has |have |is |was |were |has been |have been )?(?:moved|rescheduled|shifted|changed) (?:from ${weekday}s? )?to (?:every )?(?<value>${weekday}s?)(?: (?:at|from) .{1,20})?`,
  ]),
];
