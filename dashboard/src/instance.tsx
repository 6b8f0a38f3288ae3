import { createContext, useContext, type ReactNode } from 'react';
import type { ViewerQuery } from './generated/graphql.ts';

type Instances = ViewerQuery['instances']['nodes'];

interface Chosen {
  readonly id: string | undefined;
  readonly instances: Instances;
}

const InstanceContext = createContext<Chosen>({ id: undefined, instances: [] });

export const InstanceProvider = ({ id, instances, children }: Chosen & { children: ReactNode }) => (
  <InstanceContext value={{ id, instances }}>{children}</InstanceContext>
);

/** The instance that the address names, if any, and those there are to choose from. */
export const useInstances = () => useContext(InstanceContext);

/** The instance of the page. */
export function useInstance(): string {
  const { id } = useInstances();
  if (!id) throw new Error('this page is of no instance');
  return id;
}
