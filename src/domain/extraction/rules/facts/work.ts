import { family, rx } from '../rule.ts';

// One word says it all only where it is known: "I'm a nurse", and not "I'm a winner".
const professions =
  'nurse|midwife|doctor|surgeon|dentist|vet|veterinarian|paramedic|pharmacist|physiotherapist|therapist|psychologist|psychiatrist|radiologist|radiographer|optician|carer|caregiver|teacher|tutor|lecturer|professor|librarian|student|undergraduate|postgrad|postdoc|scientist|biologist|chemist|physicist|geologist|mathematician|statistician|economist|historian|archaeologist|researcher|engineer|developer|programmer|coder|sysadmin|designer|architect|analyst|consultant|accountant|bookkeeper|auditor|banker|actuary|broker|lawyer|solicitor|barrister|attorney|paralegal|judge|notary|writer|author|journalist|editor|translator|interpreter|copywriter|novelist|poet|musician|pianist|violinist|singer|composer|producer|actor|actress|dancer|painter|sculptor|illustrator|photographer|filmmaker|artist|chef|cook|baker|butcher|barista|bartender|waiter|waitress|caterer|plumber|electrician|carpenter|joiner|roofer|bricklayer|welder|mechanic|machinist|locksmith|builder|surveyor|decorator|tailor|seamstress|hairdresser|barber|beautician|cleaner|caretaker|janitor|gardener|landscaper|farmer|beekeeper|florist|forester|fisherman|sailor|pilot|flight attendant|driver|trucker|courier|postman|dispatcher|soldier|firefighter|police officer|policeman|policewoman|detective|security guard|social worker|civil servant|politician|priest|pastor|monk|nun|imam|rabbi|manager|product manager|project manager|administrator|secretary|receptionist|assistant|recruiter|marketer|salesman|saleswoman|salesperson|estate agent|realtor|shopkeeper|cashier|freelancer|contractor|entrepreneur|founder|landlord|landlady|nanny|childminder|au pair|personal trainer|yoga teacher|coach|retiree|pensioner|homemaker|housewife|stay-at-home (?:mum|mom|dad|parent)';

/** What the speaker does for a living, or studies. */
export const work = family(
  { type: 'facts', name: 'work', category: 'work' },
  {
    employed: {
      pattern: rx(
        `^I (?:work|am working|worked|have worked|am employed|used to work)\\b(?: \\p{Ll}+)? (?:as|at|for|in|from|with|on)\\b`,
      ),
      strength: 0.86,
      except: /\bworking on (?:it|this|that)$/u,
    },
    occupation: {
      pattern: rx(
        `^I am (?:an? |the |head of |\\p{Ll}+ (?:head|lead) of )(?:\\p{L}+[ -]){0,3}(?:\\p{Ll}+(?:er|or|ist|ian|ant|ent|man|woman|eer)|nurse|chef|cook|nanny|student|coach|lead|CEO|CTO|CFO|founder|intern|attorney|judge|pilot|clerk|freelance\\p{Ll}*|apprentice|architect|analyst|executive|guide|monk|priest|poet|mechanic|vet)\\b`,
      ),
      strength: 0.84,
      except:
        /\b(?:never|bit|little|another|matter|fan|person|better|bigger|believer|beginner|newcomer|member|sucker)\b/u,
    },
    profession: {
      pattern: rx(
        `^I am (?:also )?an? (?:(?!(?:former|bit|huge|big|fan|good|bad|great|terrible|better|slow|fast|decent|lousy|poor|real|true)\\b)\\p{L}+[ -]){0,3}(?:${professions})(?= (?:in|at|for|from|by|with|who|and|of|on|near)\\b|[,;(]|$)`,
      ),
      strength: 0.86,
    },
    career: {
      pattern: rx(
        `^(?:I|we) (?:study|studied|am studying|graduated|majored|am majoring|teach|taught|manage|managed|lead|led|run|own|founded|started|launched|quit|joined|retired|got promoted|was promoted|got hired|got laid off|was laid off|got a (?:\\p{Ll}+ )*job|started a (?:\\p{Ll}+ )*(?:job|business|company|role)|accepted)\\b .{2,}`,
      ),
      strength: 0.79,
      except: /^(?:I|we) (?:run into|started (?:to|feeling|thinking)|lead to|own (?:it|that))\b/u,
    },
    about: {
      pattern: rx(
        `^(?:my|our) (?:\\p{Ll}+ ){0,2}(?:job|role|position|title|salary|company|employer|office|workplace|commute|shift|degree|major|thesis|business|startup|team|department|school|university|career)\\b.{0,12}\\b(?:is|are|was|has|pays|starts|involves|focuses)\\b`,
      ),
      strength: 0.84,
    },
  },
);
