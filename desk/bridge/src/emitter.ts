/** The smallest event source: listeners are called in the order they came; one that throws harms no other. */
export class Emitter<Event> {
  #listeners = new Set<(event: Event) => void>();

  on(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
