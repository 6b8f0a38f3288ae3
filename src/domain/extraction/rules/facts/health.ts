import { family, rx } from '../rule.ts';

/** What the speaker suffers from, must avoid or takes. */
export const health = family(
  { type: 'facts', name: 'health', category: 'health' },
  {
    condition: {
      pattern: rx(
        `^(?:I|we) (?:am|have been|was|got) (?:\\p{Ll}+ )?(?:allergic|intolerant|diagnosed|vegetarian|vegan|diabetic|asthmatic|dyslexic|colou?r-?blind|deaf|celiac|coeliac|pescatarian|sober|insulin|lactose)\\b|^[Aa]llergic to \\p{L}{3}`,
      ),
      strength: 0.93,
      except: /^[Aa]llergic to (?:this|that|it|them)\b/u,
    },
    illness: {
      pattern: rx(
        `^(?:I|we) (?:have(?: got)?|suffer from) (?:(?:type (?:\\d|one|two)|\\p{Ll}+) )?(?:asthma|diabetes|epilepsy|arthritis|migraines|adhd|ADHD|autism|cancer|hypertension|high blood pressure|eczema|psoriasis|hay fever|insomnia|anxiety|depression|ibs|IBS|dyslexia|tinnitus|endometriosis|(?:celiac|coeliac|crohn's|Crohn's) disease)\\b`,
      ),
      strength: 0.88,
      except: /^(?:I|we) (?:have|suffer from) (?:no|never|some|any|your|the)\b/u,
    },
    measure: {
      pattern: rx(
        `^I (?:weigh (?:about |around |roughly )?\\d|am (?:about |around |roughly )?\\d[\\d.,'′]* ?(?:cm|m|met(?:er|re)s?|ft|foot|feet|inches)?(?: ?\\d+(?:in|")?)? tall\\b)|^my (?:blood type|blood group|height|weight) is .*[\\dABO]`,
      ),
      strength: 0.86,
    },
    suffers: {
      pattern: rx(
        `^(?:I|we) (?:have|had|suffer from|suffered|take|am taking|am recovering|broke|have broken|sprained|tore|am on|was hospitali[sz]ed|had surgery|got surgery|do not eat|cannot (?:eat|have|drink|tolerate|digest))\\b.*\\b(?:allerg\\p{L}+|asthma|diabetes|migraines?|anxiety|depression|adhd|ADHD|arthritis|cancer|condition|disease|disorder|syndrome|injury|pain|surgery|medication|pills?|mg|ankle|wrist|leg|arm|knee|shoulder|back|hip|rib|ribs|heart|blood|insomnia|gluten|dairy|nuts|meat|insulin|treatment|therapy|covid)\\b`,
      ),
      strength: 0.83,
      except: /\beach other\b|\bback (?:in|to|on)\b|\bhave (?:your|his|her|their) back\b/u,
    },
  },
);
