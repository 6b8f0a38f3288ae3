import { useEffect, useId, useRef, type ReactNode } from 'react';
import { text } from '../text.ts';
import { Button } from './parts.tsx';

/** A window of its own over the page; the browser holds the focus inside and gives it back. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      {isOpen && (
        <div className="stack">
          <h2 id={heading}>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** Asks before something is done that cannot be taken back. */
export function Confirmation({
  title,
  help,
  label,
  isOpen,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  help: string;
  label: string;
  isOpen: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{help}</p>
      {children}
      <div className="actions">
        <Button
          kind="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {label}
        </Button>
        <Button onClick={onClose}>{text.common.cancel}</Button>
      </div>
    </Dialog>
  );
}
