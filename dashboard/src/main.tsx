import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/pages.css';
import { App } from './app.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';

/** The file whose absence had this window loaded anew. */
const missed = 'presage.missed';

// After an upgrade the files of the version that a window was opened with are gone: it is loaded anew, once for each.
addEventListener('vite:preloadError', ({ payload: { message } }) => {
  if (sessionStorage.getItem(missed) === message) return;
  sessionStorage.setItem(missed, message);
  location.reload();
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ErrorBoundary>
      <App />
    </ErrorBoundary>
  </StrictMode>,
);
