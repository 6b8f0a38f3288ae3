/** What somebody wrote into a field of a form; files are none of ours. */
export function valueOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
