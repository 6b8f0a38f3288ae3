import type { ReactNode } from 'react';
import { text } from '../text.ts';
import { inWords } from './format.ts';

/** What somebody wrote into a field of a form; files are none of ours. */
export function valueOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

export function Field({
  label,
  help,
  wide,
  children,
}: {
  label: string;
  help?: string;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <label className={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
      {help && <small>{help}</small>}
    </label>
  );
}

/** A field that narrows a list as somebody types. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} wide>
      <input className="input" type="search" value={value} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}

/** A choice among names of the API, or none. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  any = text.memories.any,
}: {
  label: string;
  value: T | '';
  options: readonly T[];
  onChange: (value: T | '') => void;
  any?: string | null;
}) {
  return (
    <Field label={label}>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value as T | '')}>
        {any !== null && <option value="">{any}</option>}
        {options.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Any number of names of the API, each chosen and left by a press; none chosen stands for all. */
export function MultiChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: readonly T[];
  options: readonly T[];
  onChange: (value: readonly T[]) => void;
}) {
  return (
    <div className="field" role="group" aria-label={label}>
      <span aria-hidden>{label}</span>
      <div className="toggles">
        {options.map((each) => {
          const isChosen = value.includes(each);
          return (
            <button
              key={each}
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChange(options.filter((other) => (other === each) !== value.includes(other)))}
            >
              {inWords(each)}
            </button>
          );
        })}
      </div>
    </div>
  );
}

/** A file that is read as text when somebody chooses it. */
export function FileChoice({
  label,
  accept,
  onText,
}: {
  label: string;
  accept: string;
  onText: (text: string) => void;
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="file"
        accept={accept}
        className="input"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void file.text().then(onText);
          event.target.value = '';
        }}
      />
    </label>
  );
}
