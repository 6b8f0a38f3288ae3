/** Of the page of documentation; the page carries it, so that it loads nothing. */
export const documentationStyle = `
:root { --ink: #1d2433; --soft: #5b6475; --line: #e3e6ec; --paper: #fff; --tint: #f6f7fa; --accent: #5a3fd6;
  --get: #0b7a4b; --post: #1f5fd0; --delete: #b3261e; --code: #f1f2f6; --dark: #171b26; --onDark: #e6e9f2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9f2; --soft: #9aa3b5; --line: #2a3040; --paper: #12151d;
  --tint: #181c26; --accent: #a897ff; --get: #4cc38a; --post: #7aa7ff; --delete: #ff8f86; --code: #1f2431;
  --dark: #0c0e14; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; font: 15px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; background: var(--tint);
  border-right: 1px solid var(--line); }
nav strong { font-size: 1.15rem; letter-spacing: -0.01em; }
nav h2 { margin: 1.4rem 0 0.3rem; font-size: 0.72rem; letter-spacing: 0.08em; text-transform: uppercase;
  color: var(--soft); }
nav a { display: block; padding: 0.14rem 0; color: inherit; text-decoration: none; font-size: 0.88rem; }
nav a:hover { color: var(--accent); }
main { padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 78rem; }
h1 { margin: 0 0 0.25rem; font-size: 2.1rem; letter-spacing: -0.02em; line-height: 1.2; }
main > h2 { margin: 3.5rem 0 1rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); font-size: 1.4rem; }
article { margin: 0 0 3rem; }
h3 { margin: 0 0 0.2rem; font-size: 1.1rem; }
h4 { margin: 1.2rem 0 0.3rem; font-size: 0.78rem; letter-spacing: 0.06em; text-transform: uppercase;
  color: var(--soft); }
p { margin: 0.35rem 0 0.8rem; max-width: 46rem; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.86em; }
:not(pre) > code { background: var(--code); padding: 0.08em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
code.name { background: none; padding: 0; font-weight: 600; }
pre { background: var(--dark); color: var(--onDark); padding: 1rem 1.15rem; border-radius: 8px; overflow-x: auto;
  line-height: 1.5; margin: 0.5rem 0 0; }
.route { display: flex; gap: 0.7rem; align-items: baseline; margin: 0 0 0.4rem; flex-wrap: wrap; }
.route code { background: none; padding: 0; font-size: 0.95rem; }
.method { font: 700 0.72rem/1 ui-monospace, monospace; padding: 0.32rem 0.5rem; border-radius: 5px; color: var(--paper);
  letter-spacing: 0.04em; }
.get { background: var(--get); } .post { background: var(--post); } .delete { background: var(--delete); }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
td { padding: 0.42rem 0.9rem 0.42rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 15rem; white-space: nowrap; } td.type { width: 16rem; color: var(--soft); }
td b { color: var(--delete); margin-left: 0.15rem; }
.limits { color: var(--soft); white-space: nowrap; }
.answers td:first-child { width: 5rem; font-weight: 600; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; border: 0; }
  td:first-child { width: auto; white-space: normal; } }
`;
