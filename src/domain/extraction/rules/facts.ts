import { kin, name, pet, rx, type Rule } from './rule.ts';

const circle = `(?:my|our) (?:\\p{Ll}+(?:-\\p{Ll}+)? ){0,2}(?:${kin}|${pet}|manager|boss|supervisor|team|landlord|landlady|doctor|dentist|therapist|teacher|coach|mentor|client|lawyer|accountant)`;
const idle =
  /^(?:I|we) (?:am|was|have) (?:\p{Ll}+ )?(?:sure|sorry|here|there|back|done|ready|able|afraid|going|trying|looking|wondering|asking|talking|thinking|saying|having|not sure|a (?:bit|little)|so|glad|happy|curious|(?:a )?(?:few |some )?questions?|to (?:go|say)|no idea|good|fine|ok|okay|in)\b/u;

/** What is so: about the speaker, the speaker's people and things. */
export const facts: readonly Rule[] = [
  // identity
  {
    pattern: rx(
      `^(?:my (?:full |first |last |middle |user |maiden )?name is|I am called|people call me|I go by|my (?:nickname|pronouns|birthday|nationality|ethnicity|religion|zodiac sign|star sign)\\b|I was born|I identify as|I am (?:\\d{1,3}(?: years? old)?$|originally from|from \\p{Lu})|I (?:come|hail) from|I turned \\d)`,
    ),
    confidence: 0.92,
    category: 'identity',
  },
  {
    pattern: rx(
      `^I (?:grew up|was raised|speak \\p{Lu}|am (?:fluent|bilingual|left-handed|right-handed|an? (?:native|immigrant|introvert|extrovert|twin|veteran|only child)))`,
    ),
    confidence: 0.88,
    category: 'identity',
  },
  {
    pattern: rx(`^I am (?:single|married|divorced|engaged|widowed|separated|pregnant|gay|straight|trans|adopted)\\b`),
    confidence: 0.85,
    category: 'identity',
  },
  // relations
  {
    pattern: rx(
      `^(?:I|we) (?:have|had|have got|expect) (?:an? |two |three |four |five |six |\\d+ |no |twin |one |several )(?:\\p{Ll}+ ){0,2}(?:${kin}|${pet})\\b`,
    ),
    confidence: 0.88,
    category: 'relations',
  },
  { pattern: rx(`^${circle}(?:'s)?\\b,? .*\\p{L}`), confidence: 0.8, category: 'relations' },
  { pattern: rx(`^${name} is (?:my|our) \\p{L}+`), confidence: 0.88, category: 'relations' },
  {
    pattern: rx(
      `^(?:I|we) (?:got|am getting|are getting) (?:married|engaged|divorced|separated)\\b|^(?:I|we) (?:adopted|married|am dating|met my|broke up)\\b`,
    ),
    confidence: 0.85,
    category: 'relations',
  },
  // work
  {
    pattern: rx(
      `^I (?:work|am working|worked|have worked|am employed|used to work)\\b(?: \\p{Ll}+)? (?:as|at|for|in|from|with|on)\\b`,
    ),
    confidence: 0.86,
    category: 'work',
    except: /\bworking on (?:it|this|that)$/u,
  },
  {
    pattern: rx(
      `^I am (?:an? |the |head of |\\p{Ll}+ (?:head|lead) of )(?:\\p{L}+[ -]){0,3}(?:\\p{Ll}+(?:er|or|ist|ian|ant|ent|man|woman|eer)|nurse|chef|cook|nanny|student|coach|lead|CEO|CTO|CFO|founder|intern|attorney|judge|pilot|clerk|freelance\\p{Ll}*|apprentice|architect|analyst|executive|guide|monk|priest|poet|mechanic|vet)\\b`,
    ),
    confidence: 0.84,
    category: 'work',
    except:
      /\b(?:never|bit|little|another|matter|fan|person|better|bigger|believer|beginner|newcomer|member|sucker)\b/u,
  },
  {
    pattern: rx(
      `^(?:I|we) (?:study|studied|am studying|graduated|majored|am majoring|teach|taught|manage|managed|lead|led|run|own|founded|started|launched|quit|joined|retired|got promoted|was promoted|got hired|got laid off|was laid off|got a (?:\\p{Ll}+ )*job|started a (?:\\p{Ll}+ )*(?:job|business|company|role)|accepted)\\b .{2,}`,
    ),
    confidence: 0.79,
    category: 'work',
    except: /^(?:I|we) (?:run into|started (?:to|feeling|thinking)|lead to|own (?:it|that))\b/u,
  },
  {
    pattern: rx(
      `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:job|role|position|title|salary|company|employer|office|workplace|commute|shift|degree|major|thesis|business|startup|team|department|school|university|career)\\b.{0,12}\\b(?:is|are|was|has|pays|starts|involves|focuses)\\b`,
    ),
    confidence: 0.84,
    category: 'work',
  },
  // places
  {
    pattern: rx(
      `^(?:I|we) (?:live|lived|am living|reside|stay|am staying|am based|are based|moved|relocated|settled|have lived|have moved|have relocated|have settled|used to live|rent|am moving|are moving|own a (?:house|flat|cottage|home))\\b(?! (?:on|forward|past)\\b)`,
    ),
    confidence: 0.88,
    category: 'places',
  },
  {
    pattern: rx(
      `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:home|house|flat|apartment|address|hometown|home town|neighbou?rhood|city|town|village|cottage|garden|kitchen|room|place)\\b.*\\b(?:is|are|was|has|have|overlooks|faces|sits|stands)\\b`,
    ),
    confidence: 0.83,
    category: 'places',
  },
  // possessions and contact
  {
    pattern: rx(
      `^(?:my|our) (?:\\p{Ll}+ ){0,3}(?:number|e-?mail|address|password|code|pin|account|username|handle|plate|size|budget|car|bike|bicycle|boat|van|truck|phone|laptop|computer|camera|guitar|piano|instrument|subscription|plan|website|blog|insurance)\\b.*\\b(?:is|are|was|has|have|changed|runs)\\b`,
    ),
    confidence: 0.84,
    category: 'possessions',
    except: /\bplan is to\b/u,
  },
  {
    pattern: rx(
      `^(?:I|we) (?:own|drive|ride|bought|have bought|sold|have sold|inherited|use an?|purchased|got an? (?:new )?|collect|have an? (?:new |old )?(?:\\p{Ll}+ )?(?:car|bike|house|boat|garden|piano|guitar|phone|laptop|camera|subscription|website))\\b`,
    ),
    confidence: 0.8,
    category: 'possessions',
    except: /\bgot an? (?:idea|question|chance|bit|lot|message|call|feeling)/u,
  },
  // health
  {
    pattern: rx(
      `^(?:I|we) (?:am|have been|was|got) (?:\\p{Ll}+ )?(?:allergic|intolerant|diagnosed|vegetarian|vegan|diabetic|asthmatic|dyslexic|colou?r-?blind|deaf|celiac|coeliac|pescatarian|sober|insulin|lactose)\\b`,
    ),
    confidence: 0.93,
    category: 'health',
  },
  {
    pattern: rx(
      `^(?:I|we) (?:have|had|suffer from|suffered|take|am taking|am recovering|broke|have broken|sprained|tore|am on|was hospitali[sz]ed|had surgery|got surgery|do not eat|cannot eat)\\b.*\\b(?:allerg\\p{L}+|asthma|diabetes|migraines?|anxiety|depression|adhd|ADHD|arthritis|cancer|condition|disease|disorder|syndrome|injury|pain|surgery|medication|pills?|mg|ankle|wrist|leg|arm|knee|shoulder|back|hip|rib|ribs|heart|blood|insomnia|gluten|dairy|nuts|meat|insulin|treatment|therapy|covid)\\b`,
    ),
    confidence: 0.83,
    category: 'health',
  },
  // habits and skills
  {
    pattern: rx(
      `^(?:I|we) (?:usually|always|often|never|rarely|normally|typically|generally|regularly|sometimes|mostly|tend to)\\b`,
    ),
    confidence: 0.8,
    category: 'habits',
    except:
      /^(?:I|we) (?:always|never|often|sometimes) (?:thought|wanted|knew|wonder|feel|felt|heard|said|expected|imagined|been|got|saw)\b/u,
  },
  {
    pattern: rx(
      `^(?:I|we) (?:\\p{Ll}+ )?\\p{Ll}+ .*\\b(?:every (?:\\p{Ll}+ )?(?:\\p{L}+day|day|morning|evening|night|week|weekend|month|year|summer|winter)|on (?:\\p{Lu}\\p{Ll}+days|weekends|weekdays)|at weekends|(?:once|twice|three times|\\d times) a (?:day|week|month|year)|in the (?:mornings|evenings)|each (?:day|week|month|morning))\\b`,
    ),
    confidence: 0.84,
    category: 'habits',
    except: /^(?:I|we) (?:need|want|have to)\b/u,
  },
  {
    pattern: rx(
      `^(?:I|we) (?:play|row|run|swim|cycle|climb|paint|draw|sing|dance|knit|garden|bake|cook|hike|ski|surf|volunteer|practi[cs]e|train|brew|sew|code|do (?:yoga|pilates|karate|judo)|collect|keep|grow|breed|coach)\\b .{3,}`,
    ),
    confidence: 0.82,
    category: 'habits',
    except: /\b(?:run into|cook up|keep (?:\p{Ll}+ing|in mind|it|that|getting|on))\b/u,
  },
  {
    pattern: rx(
      `^(?:I|we) (?:am|are|have been|was) (?:learning|training|studying|taking|writing|reading|building|volunteering|practi[cs]ing|teaching|renovating|saving|rehearsing|recording|attending|researching|developing|restoring)\\b .{3,}`,
    ),
    confidence: 0.82,
    category: 'habits',
  },
  {
    pattern: rx(
      `^(?:I|we) (?:can|cannot|know how to) (?:play|speak|swim|drive|ride|cook|code|read|sing|dance|write|juggle|ski)\\b`,
    ),
    confidence: 0.78,
    category: 'identity',
  },
  // life events without a date
  {
    pattern: rx(
      `^(?:I|we) (?:have )?(?:(?:also|even|both) )?(?:started|began|finished|completed|got|won|passed|failed|lost|published|signed up|opened|closed|built|wrote|made|painted|visited|went|took|attended|met|ran|hosted|organi[sz]ed|volunteered|performed|competed|applied|enrolled|donated|planted|booked|received|earned|created|learned|learnt|tried|joined|gave|read|watched|saw|found|bought|grew|travel+ed|hiked|camped)\\b .{6,}`,
    ),
    confidence: 0.72,
    category: 'other',
    except:
      /^(?:I|we) (?:have )?(?:got (?:it|that|to|this|you)|went (?:to bed|through|over|ahead|back and)|made (?:sure|it|that|a mistake)|took (?:a look|it|your)|gave (?:it|that|up)|found (?:it|that|out)|tried (?:to|it|that)|saw (?:that|your|it)|read (?:that|it|your)|lost (?:track|me)|met you)\b/u,
  },
  // plans
  {
    pattern: rx(
      `^(?:I|we) (?:want|plan|hope|intend|aim|aspire|dream|wish|would like|would love|am (?:planning|hoping|thinking|considering|aiming|saving|about|going)|are (?:planning|hoping|thinking|considering|going)|have been (?:thinking|planning|considering|wanting))\\b(?: to| of| on| about| for)? \\p{L}+ .{3,}`,
    ),
    confidence: 0.75,
    category: 'plans',
    except:
      /^(?:I|we) (?:want|would like|would love|need|hope|wish|am (?:going|hoping|thinking))(?: to| for)? (?:you|know|ask|hear|see (?:the|your)|say|talk|make sure|understand|thank|share|discuss|learn more|get (?:a|some|your)|know|explore|improve|use|add|implement|ensure|this|that|it)\b/u,
  },
  {
    pattern: rx(
      `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:goal|dream|plan|ambition|aim|resolution|deadline|target|wish)s?\\b.*\\b(?:is|are|was)\\b`,
    ),
    confidence: 0.84,
    category: 'plans',
  },
  {
    pattern: rx(`^(?:my|our) \\p{Ll}+(?: \\p{Ll}+){0,3} (?:is|are|was|were|has|have|costs?|changed|moved)\\b .{2,}`),
    confidence: 0.76,
    except: /^(?:my|our) (?:question|problem|issue|apolog\p{L}+|bad|point|mistake|code|understanding|pleasure)\b/u,
  },
  { pattern: rx(`^I (?:am|was) (?:an? |the )?\\p{L}+ .*`), confidence: 0.6, except: idle },
];
