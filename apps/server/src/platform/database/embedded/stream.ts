import { Duplex } from 'node:stream';

export interface Connection {
  greeting: Uint8Array;
  send(bytes: Uint8Array): void;
  end(): void;
}

export class EmbeddedStream extends Duplex {
  readonly #open: (stream: EmbeddedStream) => Promise<Connection>;
  #connection: Connection | null = null;
  #isGreeted = false;

  constructor(open: (stream: EmbeddedStream) => Promise<Connection>) {
    super({ allowHalfOpen: false });
    this.#open = open;
  }

  /** Called by node-postgres. */
  connect(): this {
    this.#open(this).then(
      (connection) => {
        this.#connection = connection;
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
    this.#connection?.end();
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#connection?.end();
    done(error);
  }

  #send(bytes: Buffer): void {
    this.#connection?.send(bytes);
    if (this.#isGreeted || !this.#connection) return;
    this.push(this.#connection.greeting);
    this.#isGreeted = true;
  }
}
