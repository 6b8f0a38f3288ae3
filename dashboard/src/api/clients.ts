import { useQuery } from 'urql';
import { graphql } from '../generated/index.ts';

const ClientNames = graphql(`
  query ClientNames {
    clients(first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

/** The clients that the viewer reaches, to choose one from. */
export function useClients() {
  const [{ data, error, fetching }] = useQuery({ query: ClientNames });
  return { clients: data?.clients.nodes ?? [], error, isLoading: fetching && !data };
}
