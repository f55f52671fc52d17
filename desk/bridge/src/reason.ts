/** A reason as a person can read it, whether the server sent a word or an object. */
export interface PlainReason {
  code: string;
  message: string;
}

const sentences: Record<string, string> = {
  not_signed_in: "The server does not know this token.",
  slow_consumer: "This page could not keep up; it catches up now.",
  restart: "The server restarts.",
  shutting_down: "The server stops.",
};

export function readReason(reason: unknown): PlainReason {
  if (typeof reason === "string") return { code: reason, message: sentences[reason] ?? reason };
  const { code, message } = (reason ?? {}) as { code?: unknown; message?: unknown };
  const word = typeof code === "string" ? code : "unknown";
  return { code: word, message: typeof message === "string" ? message : (sentences[word] ?? word) };
}
