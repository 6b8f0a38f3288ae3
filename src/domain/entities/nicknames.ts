// Given names and what their bearers are called in English; a nickname may stand for several names.
const table = `
abigail: abby abbie gail; abraham: abe bram; adelaide: addie; albert: al bert bertie; alexander: alex al sandy xander lex;
alexandra: alex sandra sandy lexi; alfred: al alf alfie fred; alice: ali; alison: ali allie; amanda: mandy;
andrew: andy drew; angela: angie; ann: annie nan; anna: annie ann; anthony: tony ant; antonia: toni; archibald: archie;
arthur: art artie; barbara: barb babs barbie; barnabas: barney; bartholomew: bart; beatrice: bea trixie; benjamin: ben benny benji;
bernadette: bernie; bernard: bernie; bridget: biddy bridie; calvin: cal; cameron: cam; caroline: carrie caro; catherine: cathy cath kate katie cat kitty;
charles: charlie chuck chas chaz; charlotte: lottie charlie char; christina: chris tina christie; christine: chris chrissie tina;
christopher: chris kit topher; clarence: clare; clifford: cliff; constance: connie; cynthia: cindy; daniel: dan danny;
danielle: dani; david: dave davy davey; deborah: deb debbie debs; dennis: denny; diana: di; dominic: dom nick; donald: don donny;
dorothy: dot dottie dolly; douglas: doug; edmund: ed eddie ned; edward: ed eddie ted teddy ned; edwin: ed eddie; eleanor: ellie nell nora;
elizabeth: liz lizzie beth betty eliza libby elsie bess betsy; emily: em emmy; emma: em; ernest: ernie; eugene: gene; evelyn: evie;
florence: flo flossie; frances: fran frannie; francis: frank fran; franklin: frank; frederick: fred freddie; gabriel: gabe;
gabrielle: gabby; geoffrey: geoff jeff; george: georgie; georgina: georgie gina; gerald: gerry jerry; gerard: gerry; gilbert: gil bert;
gordon: gord; graham: gray; gregory: greg; gwendolyn: gwen; harold: harry hal; harriet: hattie harry; harrison: harry; helen: nell;
henry: harry hank hal; herbert: herb bert; howard: howie; hubert: bert; irene: rene; isaac: ike zac; isabella: bella izzy isa; isabel: bella izzy;
jacob: jake; jacqueline: jackie; james: jim jimmy jamie; janet: jan; jason: jay; jeffrey: jeff; jennifer: jen jenny; jeremiah: jerry;
jeremy: jerry jez; jessica: jess jessie; joan: joanie; joanna: jo; joel: joe; john: johnny jack; jonathan: jon jonny; joseph: joe joey;
josephine: jo josie; joshua: josh; judith: judy; julian: jules; julia: jules; juliet: jules; katherine: kathy kath kate katie kat kitty;
kathleen: kathy kath; kenneth: ken kenny; kimberly: kim; kristen: kris; lawrence: larry laurie; leonard: len lenny leo; leonardo: leo;
leslie: les; lillian: lil lily; louis: lou louie; louise: lou; lucille: lucy; lucinda: lucy; magdalena: lena magda; malcolm: mal;
margaret: maggie meg peggy marge madge greta rita daisy; maria: mia; marianne: mary; marjorie: marge; martha: marty; martin: marty;
mary: molly polly may; matilda: tilly mattie; matthew: matt matty; maurice: mo; maximilian: max; maxwell: max; melanie: mel; melissa: mel missy;
michael: mike mikey mick micky mitch; michelle: shelly chelle; mildred: millie; miranda: mandy randy; mohammed: mo; monica: mon; montgomery: monty;
nancy: nan; natalie: nat; nathan: nate nat; nathaniel: nate nat; nicholas: nick nicky; nicola: nicky; nicole: nicky nikki; nigel: nige;
oliver: ollie; olivia: liv livvy; oscar: oz; pamela: pam; patricia: pat patty tricia trish; patrick: pat paddy; paula: polly; penelope: penny;
percival: percy; peter: pete petey; philip: phil pip; phillip: phil pip; rachel: rach rae; randall: randy; raymond: ray; rebecca: becky becca beck;
reginald: reg reggie; richard: rick ricky dick rich richie; robert: rob robbie bob bobby bert; roberta: bobbie; roderick: rod; rodney: rod;
roger: rodge; roland: roly; ronald: ron ronnie; rosalind: roz ros; rosemary: rose rosie; rupert: rupe; russell: russ rusty; ruth: ruthie;
samantha: sam sammy; samuel: sam sammy; sarah: sally sadie; sebastian: seb bas; sidney: sid; simon: si; solomon: sol; sophia: sophie;
stanley: stan; stephanie: steph steffi; stephen: steve stevie steph; steven: steve stevie; stuart: stu; susan: sue susie suzy; susannah: sue susie;
sylvester: sly; sylvia: syl; terence: terry; teresa: terry tess tessa; theodore: ted teddy theo; theresa: terry tess tessa; thomas: tom tommy;
timothy: tim timmy; tobias: toby; ursula: ursie; valerie: val; veronica: ronnie vera; victor: vic; victoria: vicky tori vic; vincent: vin vinny vince;
virginia: ginny; vivian: viv; walter: walt wally; wendy: wen; wilfred: wilf fred; william: will bill billy willy liam; winifred: winnie fred;
winston: win; yvonne: von; zachary: zach zack zac`;

const fullNamesOf = new Map<string, Set<string>>();
for (const entry of table.split(';')) {
  const [full = '', nicknames = ''] = entry.split(':').map((part) => part.trim());
  for (const name of [full, ...nicknames.split(/\s+/u)])
    fullNamesOf.set(name, (fullNamesOf.get(name) ?? new Set()).add(full));
}

/** The full names that a given name may be short for; itself where the table does not know it. */
export const fullGivenNamesOf = (input: string): ReadonlySet<string> => fullNamesOf.get(input) ?? new Set([input]);

/** Whether the table has the name, so that a mere likeness to other names tells nothing. */
export const isKnownGivenName = (input: string): boolean => fullNamesOf.has(input);

/**
 * The sound of a given name, as far as it is written in more than one way. A name that begins with F or S is another
 * one than with V or Z (Finn and Vin, Sara and Zara), and so is one with "ch" or "sh" (Charlie and Carly).
 */
const soundOf = (name: string): string =>
  name
    .replace(/(?<=ll|nn|tt)e$/u, '')
    .replaceAll(/ph|(?<=.)v/gu, 'f')
    .replaceAll(/(?<=.)z/gu, 's')
    .replaceAll(/(?<=[^cs])h|(?<=c)h(?=r)/gu, '')
    .replaceAll(/c(?!h)/gu, 'k')
    .replaceAll(/ey|ie|y/gu, 'i')
    .replaceAll(/(.)\1/gu, '$1');

/** Whether two given names are one in two spellings: "Jon" and "John", "Catherine" and "Katherine". */
export const areSpellingVariants = (one: string, other: string): boolean => soundOf(one) === soundOf(other);

/** Whether two given names may be one person's: "Bob" and "Robert", but not "Rob" and "Albert". */
export function mayBeSameGivenName(one: string, other: string): boolean {
  if (one === other) return true;
  const names = fullGivenNamesOf(other);
  const common = [...fullGivenNamesOf(one)].filter((name) => names.has(name));
  if (common.some((name) => name === one || name === other)) return true;
  // Two nicknames of one name: "Bob" and "Robbie", each of Robert alone, or "Joe" and "Joey", which sound alike.
  const isOnly = common.length === fullGivenNamesOf(one).size && common.length === fullGivenNamesOf(other).size;
  return common.length > 0 && (isOnly || one.startsWith(other) || other.startsWith(one));
}
