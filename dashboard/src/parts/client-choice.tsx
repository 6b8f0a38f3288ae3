import { useState } from 'react';
import { useClients } from '../api/clients.ts';
import { firstInstance, useInstances } from '../instance.tsx';
import { text } from '../text.ts';
import { Field } from './fields.tsx';
import { Failed, Loading } from './parts.tsx';

/**
 * The client that a page is about, and the field that chooses it where the viewer reaches several. It begins with the
 * client of the instance that the frame shows.
 */
export function useClientChoice() {
  const { clients, error, isLoading } = useClients();
  const [chosen, setChosen] = useState('');
  const { instances } = useInstances();
  const shown = instances.find(({ id }) => id === firstInstance(instances))?.clientId;
  const client = chosen || (clients.find(({ id }) => id === shown) ?? clients[0])?.id;
  const choice = (
    <>
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {clients.length > 1 && (
        <Field label={text.team.client}>
          <select className="input" value={client} onChange={(event) => setChosen(event.target.value)}>
            {clients.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </>
  );
  return { client, choice, isNone: !isLoading && !error && !clients.length };
}
