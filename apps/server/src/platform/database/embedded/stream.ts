import { Duplex } from 'node:stream';

/** How a stream reaches the thread that runs the database. */
export interface StreamLink {
  /** Opens a connection; resolves with the greeting. Rejects when the database cannot be reached. */
  open(stream: EmbeddedStream): Promise<Uint8Array>;
  write(stream: EmbeddedStream, bytes: Uint8Array): void;
  end(stream: EmbeddedStream): void;
}

/** Stands in for the socket of a node-postgres client. */
export class EmbeddedStream extends Duplex {
  readonly #link: StreamLink;
  #greeting: Uint8Array | null = null;

  constructor(link: StreamLink) {
    super({ allowHalfOpen: false });
    this.#link = link;
  }

  /** Called by node-postgres in place of a socket's connect. */
  connect(): this {
    this.#link.open(this).then(
      (greeting) => {
        this.#greeting = greeting;
        this.emit('connect');
      },
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.#link.end(this);
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#link.end(this);
    done(error);
  }

  #send(bytes: Buffer): void {
    this.#link.write(this, bytes);
    if (!this.#greeting) return;
    this.push(this.#greeting);
    this.#greeting = null;
  }
}
