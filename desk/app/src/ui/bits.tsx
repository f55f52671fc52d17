import { sayState, type FieldState, type Reason, type Side } from "@omnium/bridge";
import { Fragment, useLayoutEffect, useRef, type ReactNode } from "react";

const words: Record<FieldState, string> = { saved: "Saved", saving: "Saving…", waiting: "Waiting", refused: "Refused", conflict: "Conflict", dropped: "Taken back" };

export function StateWord({ state, reason }: { state: FieldState; reason?: Reason | null | undefined }): ReactNode {
  return (
    <span className={`state ${state}`} title={sayState(state, reason)}>
      {words[state]}
    </span>
  );
}

/** The side's letter in its own shape: told apart without colour. */
export function SideMark({ side }: { side: Side }): ReactNode {
  return (
    <span className={`side ${side}`} aria-hidden="true">
      {side === "home" ? "H" : "A"}
    </span>
  );
}

export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd aria-hidden="true">{children}</kbd>;
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}

/** A modal in the browser's own <dialog>: focus stays inside, Escape closes. */
export function Dialog({ title, onClose, children, className }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog ${className ?? ""}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === ref.current && onClose()}
    >
      {children}
    </dialog>
  );
}

/** A name of several words, such as a metric's or a release's, may break between them and nowhere else. */
export function breakable(name: string): ReactNode {
  return name.split(/(?<=[_/])/).map((word, i) => (
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {word}
    </Fragment>
  ));
}

export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
