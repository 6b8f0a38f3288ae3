import { createContext, useContext, useEffect, type ReactNode } from 'react';
import type { ViewerQuery } from './generated/graphql.ts';

type Instances = ViewerQuery['instances']['nodes'];

interface Chosen {
  readonly id: string | undefined;
  readonly instances: Instances;
}

const InstanceContext = createContext<Chosen>({ id: undefined, instances: [] });

const lastShown = 'presage.instance';

export function InstanceProvider({ id, instances, children }: Chosen & { children: ReactNode }) {
  useEffect(() => {
    if (id) localStorage.setItem(lastShown, id);
  }, [id]);
  return <InstanceContext value={{ id, instances }}>{children}</InstanceContext>;
}

/** The instance to begin with: the one that was shown last in this browser, or the first that is active. */
export function firstInstance(instances: Instances): string | undefined {
  const active = instances.filter(({ state }) => state === 'ACTIVE');
  const last = localStorage.getItem(lastShown);
  return (active.find(({ id }) => id === last) ?? active[0])?.id;
}

/** The instance that the address names, if any, and those there are to choose from. */
export const useInstances = () => useContext(InstanceContext);

/** The instance of the page. */
export function useInstance(): string {
  const { id } = useInstances();
  if (!id) throw new Error('this page is of no instance');
  return id;
}
