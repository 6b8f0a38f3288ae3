import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

const stored = 'presage.theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export const themeChoice = (): ThemeChoice => (localStorage.getItem(stored) as ThemeChoice | null) ?? 'system';

const current = (): Theme => {
  const choice = themeChoice();
  return choice === 'system' ? (prefersDark.matches ? 'dark' : 'light') : choice;
};

function show(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(stored, choice);
  show();
}

prefersDark.addEventListener('change', show);
show();

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The theme that is shown; whoever draws with colours draws anew when it changes. */
export const useTheme = (): Theme => useSyncExternalStore(listen, current);
