import { createContext, useContext, type ReactNode } from 'react';
import type { ViewerQuery } from './generated/graphql.ts';

/** Who is signed in, and how to begin anew as somebody else. */
export type SignedInViewer = ViewerQuery['viewer'] & { readonly renew: () => void };

const ViewerContext = createContext<SignedInViewer | null>(null);

export const ViewerProvider = ({ value, children }: { value: SignedInViewer; children: ReactNode }) => (
  <ViewerContext value={value}>{children}</ViewerContext>
);

export function useViewer(): SignedInViewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('nobody is signed in here');
  return viewer;
}

/** Whether they may change what an instance holds; the server decides it again with each request. */
export const mayEdit = ({ role }: SignedInViewer) => role !== 'VIEWER';
