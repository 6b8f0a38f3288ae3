import { events } from './events.ts';
import { habits } from './habits.ts';
import { health } from './health.ts';
import { identity } from './identity.ts';
import { places } from './places.ts';
import { plans } from './plans.ts';
import { possessions } from './possessions.ts';
import { relations } from './relations.ts';
import { things } from './things.ts';
import { work } from './work.ts';

/** What is so: about the speaker, the speaker's people and things. */
export const facts = [identity, relations, work, places, possessions, health, habits, events, plans, things]
  .flat()
  .toSorted((one, other) => other.strength - one.strength);
