import { makeId, readCompetition, type Competition, type Settled, type Sport } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { deskOf, go } from "../../lib/router";
import { Dialog } from "../../ui/bits";
import { lacking, pruned, SchemaForm, type Schema } from "../../ui/schema_form";

interface Sending {
  busy: boolean;
  problem: string | null;
  send: (ref: string, code: string, input: Record<string, unknown>, label: string) => Promise<boolean>;
}

/** Sends one command of workflow `games` and waits for its answer. */
function useGames(): Sending {
  const { outbox } = useOmnium();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send: Sending["send"] = async (ref, code, input, label) => {
    setBusy(true);
    setProblem(null);
    const pushed = await outbox.push({ workflow: "games", kind: "competition", ref, code, input, play: false, label });
    const done: Settled = await pushed.settled;
    setBusy(false);
    if (done.outcome !== "accepted") setProblem(done.answer?.reason?.message ?? "The server refused it.");
    return done.outcome === "accepted";
  };
  return { busy, problem, send };
}

function Buttons({ sending, onClose, text, ready }: { sending: Sending; onClose: () => void; text: string; ready: boolean }): ReactNode {
  return (
    <>
      {sending.problem === null ? null : (
        <p className="notice bad" role="alert">
          {sending.problem}
        </p>
      )}
      <div className="row between">
        <span className="quiet small">{sending.busy ? "Waiting for the server…" : ""}</span>
        <span className="row">
          <button type="button" className="button plain" onClick={onClose}>
            Cancel
          </button>
          <button className="button primary" disabled={sending.busy || !ready}>
            {text}
          </button>
        </span>
      </div>
    </>
  );
}

function SportChoice({ sports, value, onChange, any }: { sports: Sport[]; value: string; onChange: (code: string) => void; any: boolean }): ReactNode {
  return (
    <label className="field">
      <span>Sport</span>
      <select className="input" name="sport" value={value} onChange={(event) => onChange(event.target.value)}>
        {any ? <option value="">Several sports</option> : null}
        {sports.map((one) => (
          <option key={one.code} value={one.code}>
            {one.label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function NewCompetition({ sports, onClose, onMade }: { sports: Sport[]; onClose: () => void; onMade: (made: Competition) => void }): ReactNode {
  const sending = useGames();
  const [name, setName] = useState("");
  const [sport, setSport] = useState("");
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const id = makeId();
    const input = { name: name.trim(), ...(sport === "" ? {} : { sport }) };
    if (!(await sending.send(id, "games.create_competition", input, `New competition: ${input.name}`))) return;
    onMade({ id, name: input.name, sport: sport === "" ? null : sport, version: 1, participants: [] });
    onClose();
  };
  return (
    <Dialog title="New competition" onClose={onClose}>
      <form className="inside" noValidate onSubmit={(event) => void submit(event)}>
        <h2>New competition</h2>
        <label className="field">
          <span>Name</span>
          <input className="input" name="name" data-autofocus="" value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <SportChoice sports={sports} value={sport} onChange={setSport} any />
        <Buttons sending={sending} onClose={onClose} text="Create" ready={name.trim() !== ""} />
      </form>
    </Dialog>
  );
}

interface NewMatchProps {
  sports: Sport[];
  competitions: Competition[];
  competition: string | null;
  onClose: () => void;
}

/** The teams entered in a competition, to choose from; none while they cannot be read. */
function useTeams(competition: string): Competition["participants"] {
  const { client } = useOmnium();
  const [teams, setTeams] = useState<Competition["participants"]>([]);
  useEffect(() => {
    let here = true;
    setTeams([]);
    if (competition !== "") {
      client.http.get(`/competitions/${competition}`).then(
        (body) => here && setTeams(readCompetition(body).participants.filter((one) => one.type === "team")),
        () => undefined, // names can be typed without the list
      );
    }
    return () => {
      here = false;
    };
  }, [client, competition]);
  return teams;
}

export function NewMatch({ sports, competitions, competition, onClose }: NewMatchProps): ReactNode {
  const sending = useGames();
  const [into, setInto] = useState(competition ?? competitions[0]?.id ?? "");
  const chosen = competitions.find((one) => one.id === into);
  const teams = useTeams(into);
  const [picked, setPicked] = useState("");
  const sport = picked || chosen?.sport || (sports[0]?.code ?? "");
  const [home, setHome] = useState("");
  const [away, setAway] = useState("");
  const [starts, setStarts] = useState("");
  const [settings, setSettings] = useState<Record<string, unknown>>({});
  const schema = (sports.find((one) => one.code === sport)?.settings ?? {}) as Schema;
  const hasSettings = Object.keys(schema.properties ?? {}).length > 0;
  const side = (name: string): object => {
    const team = teams.find((one) => one.name === name);
    return { name, ...(team === undefined ? {} : { participant: team.id }) };
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const id = makeId();
    const kept = pruned(settings) as Record<string, unknown>;
    const input = {
      id, sport, home: side(home.trim()), away: side(away.trim()),
      ...(starts === "" ? {} : { starts_at: new Date(starts).toISOString() }),
      ...(Object.keys(kept).length === 0 ? {} : { settings: kept }),
    };
    if (await sending.send(into, "games.create_fixture", input, `New match: ${home} – ${away}`)) {
      onClose();
      go(deskOf(id));
    }
  };
  const ready = into !== "" && sport !== "" && home.trim() !== "" && away.trim() !== "" && (!hasSettings || lacking(schema, settings) === null);
  return (
    <Dialog title="New match" onClose={onClose}>
      <form className="inside" noValidate onSubmit={(event) => void submit(event)}>
        <h2>New match</h2>
        <label className="field">
          <span>Competition</span>
          <select className="input" name="competition" value={into} onChange={(event) => setInto(event.target.value)}>
            {competitions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <SportChoice sports={sports} value={sport} onChange={(code) => (setPicked(code), setSettings({}))} any={false} />
        <div className="pair">
          {([["Home", home, setHome], ["Away", away, setAway]] as const).map(([name, value, set]) => (
            <label className="field" key={name}>
              <span>{name}</span>
              <input className="input" name={name.toLowerCase()} list="teams" data-autofocus={name === "Home" ? "" : undefined} value={value} onChange={(event) => set(event.target.value)} />
            </label>
          ))}
        </div>
        <datalist id="teams">
          {teams.map((one) => (
            <option key={one.id} value={one.name} />
          ))}
        </datalist>
        <label className="field">
          <span>
            Starts at <span className="quiet">(optional)</span>
          </span>
          <input className="input num" type="datetime-local" name="starts" value={starts} onChange={(event) => setStarts(event.target.value)} />
        </label>
        {hasSettings ? (
          <details className="settings">
            <summary>Settings of the sport</summary>
            <SchemaForm schema={schema} value={settings} onChange={setSettings} sides={{ home: home || "Home", away: away || "Away" }} />
          </details>
        ) : null}
        <Buttons sending={sending} onClose={onClose} text="Create and open the desk" ready={ready} />
      </form>
    </Dialog>
  );
}
