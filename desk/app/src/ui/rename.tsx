import { useOmnium } from "@omnium/bridge/react";
import { useState, type FormEvent, type ReactNode } from "react";
import { keepDeskName } from "../lib/session";
import { Dialog } from "./bits";

/** The name others see beside what this device sends. */
export function RenameDesk({ onClose }: { onClose: () => void }): ReactNode {
  const { outbox } = useOmnium();
  const [name, setName] = useState(outbox.sender);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    keepDeskName(name.trim());
    outbox.rename(name.trim());
    onClose();
  };
  return (
    <Dialog title="Name of this desk" onClose={onClose}>
      <form className="inside" onSubmit={submit}>
        <h2>Name of this desk</h2>
        <label className="field">
          <span>Name</span>
          <input className="input" data-autofocus="" maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
          <small>Stands in the log beside everything keyed here from now on.</small>
        </label>
        <div className="row between">
          <span />
          <span className="row">
            <button type="button" className="button plain" onClick={onClose}>
              Cancel
            </button>
            <button className="button primary" disabled={name.trim() === ""}>
              Keep
            </button>
          </span>
        </div>
      </form>
    </Dialog>
  );
}
