import { family, rx } from '../rule.ts';

/** What the speaker suffers from, must avoid or takes. */
export const health = family(
  { type: 'facts', name: 'health', category: 'health' },
  {
    condition: {
      pattern: rx(
        `^(?:I|we) (?:am|have been|was|got) (?:\\p{Ll}+ )?(?:allergic|intolerant|diagnosed|vegetarian|vegan|diabetic|asthmatic|dyslexic|colou?r-?blind|deaf|celiac|coeliac|pescatarian|sober|insulin|lactose)\\b`,
      ),
      strength: 0.93,
    },
    suffers: {
      pattern: rx(
        `^(?:I|we) (?:have|had|suffer from|suffered|take|am taking|am recovering|broke|have broken|sprained|tore|am on|was hospitali[sz]ed|had surgery|got surgery|do not eat|cannot eat)\\b.*\\b(?:allerg\\p{L}+|asthma|diabetes|migraines?|anxiety|depression|adhd|ADHD|arthritis|cancer|condition|disease|disorder|syndrome|injury|pain|surgery|medication|pills?|mg|ankle|wrist|leg|arm|knee|shoulder|back|hip|rib|ribs|heart|blood|insomnia|gluten|dairy|nuts|meat|insulin|treatment|therapy|covid)\\b`,
      ),
      strength: 0.83,
      except: /\beach other\b|\bback (?:in|to|on)\b|\bhave (?:your|his|her|their) back\b/u,
    },
  },
);
