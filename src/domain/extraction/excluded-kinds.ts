/** Something that a configuration may exclude and that is known by its shape, whatever words stand around it. */
interface Kind {
  /** The words by which an entry of the configuration means this kind. */
  readonly named: RegExp;
  readonly isIn: (text: string) => boolean;
}

const payment =
  /\b(?:(?:credit|debit|payment|bank)[ -]?cards?|cards?[ -]?(?:numbers?|details|data|information)|cvvs?|cvcs?)\b|\bpayment (?:data|details|information)\b/iu;
const account =
  /\b(?:ibans?|bank(?:ing)? (?:accounts?|details|data|information)|(?:bank )?account numbers?|payment (?:data|details|information))\b/iu;
const contact = String.raw`contact (?:data|details|information)`;

const kinds: readonly Kind[] = [
  { named: payment, isIn: holdsCard },
  { named: account, isIn: holdsAccount },
  {
    named: new RegExp(
      String.raw`\b(?:(?:home|postal|street|mailing|delivery|shipping|billing|private|residential|physical|customer|patient|personal|user)s?[ -])addresses?\b|^addresses?$|\bwhere (?:they|people|users|customers) live\b|${contact}`,
      'iu',
    ),
    isIn: holdsAddress,
  },
  {
    named: new RegExp(String.raw`\b(?:tele)?phones?(?: numbers?)?\b|\b(?:mobile|cell) numbers?\b|${contact}`, 'iu'),
    isIn: holdsPhone,
  },
  { named: new RegExp(String.raw`\be-?mails?(?: address(?:es)?)?\b|${contact}`, 'iu'), isIn: holdsMail },
  {
    named:
      /\b(?:passwords?|passphrases?|passcodes?|pins?|pin codes?|credentials?|secrets?|log-?ins?|(?:api|access|private) keys?|(?:access|api|auth\w*) tokens?)\b/iu,
    isIn: holdsSecret,
  },
  {
    named:
      /\b(?:social security|national insurance|passport|national id\w*|id (?:card|number)s?|identity (?:card|document|number)s?|identification numbers?|tax (?:id\w*|number)s?|driv\w+ licen[cs]e|government ids?|ssns?|nhs numbers?)\b/iu,
    isIn: holdsIdentity,
  },
];

/** Whether a text holds what one of these words mean; undefined where they mean no known kind. */
export function exclusionTestOf(words: readonly string[]): ((text: string) => boolean) | undefined {
  const meant = kinds.filter(({ named }) => words.some((each) => named.test(each)));
  if (meant.length === 0) return undefined;
  return (text) => {
    const plain = text.normalize('NFKC'); // wide digits and hard spaces are written for the eye only
    return meant.some(({ isIn }) => isIn(plain));
  };
}

/** Whether the text holds the number of a card: 13 to 19 digits that begin as cards do, the last one a check digit. */
function holdsCard(text: string): boolean {
  if (/\b(?:cvv2?|cvc2?|cv2|security code)\b\W{0,3}(?:is|was|of)?\W{0,3}\d{3,4}\b/iu.test(text)) return true;
  return [...text.matchAll(/(?<![\d.])\d(?:[\d]|[ .-](?=\d))*/gu)].some(([run]) => {
    const groups = run.split(/[ .-]/u);
    return groups.some((_, first) => {
      let digits = '';
      for (const group of groups.slice(first, first + 19)) {
        digits += group;
        if (digits.length > 19) return false;
        if (digits.length >= 13 && firstOfCard.test(digits) && isLuhn(digits)) return true;
      }
      return false;
    });
  });
}

const firstOfCard = /^(?:[3-6]|2(?:2[2-9]|[3-6]|7[0-2]))/u;

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (const [n, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (n % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function holdsAccount(text: string): boolean {
  if (/\b(?:account|routing|sort)[ -](?:number|no\.?|code)\b\D{0,15}\d[\d -]{4,}/iu.test(text)) return true;
  return [...text.matchAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/giu)].some(([words]) => {
    // A word behind it may look like one more group.
    const groups = words.toUpperCase().split(' ');
    return groups.some((_, n) => isIban(groups.slice(0, n + 1).join('')));
  });
}

function isIban(code: string): boolean {
  if (code.length < 15 || code.length > 34) return false;
  let rest = 0;
  for (const sign of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const street = '(?:street|road|avenue|lane|boulevard|crescent|terrace|rd|ave|blvd)';
const capitalStreet =
  '(?:St|Street|Road|Avenue|Lane|Ln|Drive|Dr|Close|Court|Ct|Square|Sq|Place|Pl|Terrace|Way|Crescent|Gardens|Grove|Row|Mews|Walk|Quay|Parade|Highway|Parkway)';
/** Matches a word of the name of a street. "2 shops in our street" is no address. */
const nameWord = String.raw`(?!(?:the|a|an|in|on|of|at|to|from|for|per|and|or|our|my|your|down|up|off|miles?|km|minutes?|mins?|hours?|days?|weeks?|years?|people|houses?|shops?|blocks?|lane)\b)[\p{L}][\p{L}'’.-]*`;
const addresses = [
  new RegExp(String.raw`\b\d{1,5}[a-z]?,?(?: ${nameWord}){1,2} ${street}\b`, 'iu'),
  new RegExp(
    String.raw`\b\d{1,5}[A-Za-z]?,?(?: [NSEW]\.?)?(?: (?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th))){1,3} ${capitalStreet}\b`,
    'u',
  ),
  /\p{L}{2,}(?:straße|strasse|str\.|gasse|weg|allee|platz|laan|straat|gatan|vej|gade)\s+\d{1,4}\s?[a-z]?\b/iu,
  /\b(?:rue|avenue|boulevard|via|viale|piazza|calle|plaza|avenida|rua|ulica|ul\.)(?: [\p{L}'’.-]+){1,5},? \d{1,4}\b/iu,
  /\b\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|boulevard|place|chemin|impasse) (?:de|du|des|la|le|l['’]|\p{Lu})/u,
  /\b[A-Z]{1,2}\d[A-Z\d]? \d(?!GB|TB)[A-Z]{2}\b/u, // a British postcode
  /\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) \d{5}(?:-\d{4})?\b/u,
  /\b(?:p\.? ?o\.? ?box|apt\.?|apartment|flat (?:no\.?|number)) ?#?\d+/iu,
];
function holdsAddress(text: string): boolean {
  const line = text.replaceAll(/\s+/gu, ' ');
  return addresses.some((pattern) => pattern.test(line));
}

const phones = [
  /(?<![\w+])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d)/u,
  /(?<![\w.,/-])\(?0\d{1,4}\)?(?:[ /-]?\d){6,9}(?![\d.,/-]?\d)/u,
  /(?<![\w.,/-])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)/u,
  /\b(?:phone|tel|telephone|mobile|cell|whatsapp|call me|text me|ring me|reach me)\b[^\d\n+]{0,30}\+?\d(?:[ ()./-]{0,2}\d){5,14}/iu,
];
function holdsPhone(text: string): boolean {
  const dateless = text.replaceAll(/\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b/gu, ' ');
  return phones.some((pattern) => pattern.test(dateless));
}

function holdsMail(text: string): boolean {
  return (
    /[^\s@<>()",;:]+@[^\s@<>()",;:]+\.\p{L}{2,}/u.test(text) ||
    /\b[\w.-]+ (?:\(at\)|\[at\]|at) [\w-]+ (?:\(dot\)|\[dot\]|dot) \p{L}{2,}\b/iu.test(text)
  );
}

const secrets = [
  /\b(?:passwords?|passwort|passphrase|passcode|pw|pwd)\b[^.\n:=]{0,40}?(?::|=|\b(?:is|was|to)\b)\s*["'“‘]?(?!(?:a|an|the|my|your|not|in|on|too|very|so|no|be|wrong|right|safe|strong|weak|lost|gone|stored|saved|expired|required|needed|easy|hard|long|short)\b)\S{3,}/iu,
  /\b(?:api[ -]?key|access key|tokens?|secrets?)\b[^.\n:=]{0,40}?(?::|=|\b(?:is|was)\b)\s*["'“‘]?(?=\S*\d)\S{6,}/iu,
  /\bpin\b\D{0,20}\b\d{4,8}\b/iu,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[pousr]_\w{20,}|\bAKIA[A-Z\d]{16}\b|\bxox[abprs]-[\w-]{10,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY/u,
];
function holdsSecret(text: string): boolean {
  return secrets.some((pattern) => pattern.test(text));
}

const identities = [
  /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/u, // United States
  /\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/iu, // United Kingdom
  /\b(?:passport|social security|ssn|national insurance|tax id\w*|id card|id number|identity card|driv\w+ licen[cs]e|nhs)\b[^\n.]{0,25}?\b(?:[A-Z]{0,3}\d{6,12}[A-Z]?|\d{3}[ -]\d{2,3}[ -]\d{3,5})\b/iu,
];
function holdsIdentity(text: string): boolean {
  return identities.some((pattern) => pattern.test(text));
}
