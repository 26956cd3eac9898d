import { vi } from 'vitest';

/** The browser's speech recognition (https://webaudio.github.io/web-speech-api/). */
export class FakeRecognition extends EventTarget {
  /** All instances, newest last. */
  static instances: FakeRecognition[] = [];

  lang = '';
  continuous = true;
  interimResults = false;
  maxAlternatives = 0;
  /** Whether it uses the microphone. */
  open = false;

  constructor() {
    super();
    FakeRecognition.instances.push(this);
  }

  start(): void {
    this.open = true;
  }

  stop(): void {
    if (this.open) this.#end();
  }

  abort(): void {
    if (!this.open) return;
    this.open = false;
    this.fail('aborted');
  }

  /** The user allows the microphone. */
  allow(): void {
    this.dispatchEvent(new Event('start'));
  }

  hear(transcript: string, isFinal = false): void {
    const result = Object.assign([{ transcript, confidence: 1 }], { isFinal });
    this.dispatchEvent(Object.assign(new Event('result'), { resultIndex: 0, results: [result] }));
  }

  fail(error: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.#end();
  }

  #end(): void {
    this.open = false;
    this.dispatchEvent(new Event('end'));
  }
}

/** Gives the browser speech recognition until the test ends. */
export function giveRecognition(name: 'SpeechRecognition' | 'webkitSpeechRecognition'): void {
  FakeRecognition.instances = [];
  vi.stubGlobal(name, FakeRecognition);
}

/** A fake microphone that records the given sounds, in place of the browser's. */
export class FakeMicrophone {
  /** The tracks that are using it. */
  readonly open = new Set<object>();
  /** If set, the browser refuses access with this error. */
  refusal: DOMException | null = null;

  /** Gives the browser a microphone until the test ends. */
  constructor() {
    const { open } = this;
    const getUserMedia = async () => {
      if (this.refusal) throw this.refusal;
      const track = { stop: () => open.delete(track) };
      open.add(track);
      return { getTracks: () => [track] };
    };
    vi.stubGlobal('navigator', {
      ...navigator,
      onLine: true,
      userAgent: navigator.userAgent,
      mediaDevices: { getUserMedia },
    });
    vi.stubGlobal('MediaRecorder', FakeRecorder);
  }
}

class FakeRecorder extends EventTarget {
  static isTypeSupported = (type: string): boolean => type.startsWith('audio/mp4');

  readonly stream: unknown;
  readonly mimeType: string;
  state = 'inactive';

  constructor(stream: unknown, { mimeType = '' }: { mimeType?: string }) {
    super();
    this.stream = stream;
    this.mimeType = mimeType;
  }

  start(): void {
    this.state = 'recording';
  }

  stop(): void {
    this.state = 'inactive';
    const data = new Blob(['sound'], { type: this.mimeType });
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data }));
    this.dispatchEvent(new Event('stop'));
  }
}
