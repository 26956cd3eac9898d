import { AnswerStream } from './answer-stream.ts';
import {
  type AskOptions,
  Calls,
  type Device,
  type DeviceReport,
  DevicesCalls,
  historyAudio,
  HistoryCalls,
  KeywordsCalls,
  reportDevice,
  search,
  shapes,
  transcribe,
} from './api.ts';
import { identifier } from './check.ts';
import { disk } from './disk.ts';
import { Files } from './files.ts';
import { Form } from './form.ts';
import type { CallOptions, DeviceName, Ref } from './options.ts';
import { Runner } from './runner.ts';
import { type EngramOptions, readSettings } from './settings.ts';
import { createReader } from './shape.ts';
import { partOf, type Source } from './source.ts';

/** The questions of the user and their answers. */
export class History extends HistoryCalls {
  /** Writes an answer, spoken, to an MP3 file; returns its path. In Node only. */
  async audio(entry: Ref, to: string | URL, options: CallOptions = {}): Promise<string> {
    const { destination, save } = await disk();
    const path = await destination(to, `${identifier(entry)}.mp3`);
    const response = await this.runner.run(historyAudio, { id: entry }, options);
    return save(response, path);
  }
}

/** A report; refused files and the time may be left out. */
export type GivenReport = Pick<DeviceReport, 'folders'> & Partial<DeviceReport>;

/** The devices that keep folders in step. */
export class Devices extends DevicesCalls {
  /** Registers a device, once; store its id. `version` is that of your program. */
  async register(
    { name, platform, version }: DeviceName,
    { report, ...options }: CallOptions & { report?: GivenReport } = {},
  ): Promise<Device> {
    return this.runner.run(reportDevice, { name, platform, version, report }, options);
  }

  /**
   * Reports how far a device is; the answer says what the user wants of it. A NotFoundError means that
   * the user ended the device.
   */
  async report(
    { id, name, platform, version }: DeviceName & { id: string },
    report?: GivenReport,
    options: CallOptions = {},
  ): Promise<Device> {
    // With an id the call registers nothing, so that it may be sent again.
    const { notRepeatable: _, ...spec } = reportDevice;
    return this.runner.run(spec, { id, name, platform, version, report }, options);
  }
}

/** A connection to an Engram server. */
export class Engram extends Calls {
  /** The server's address, without /v1. */
  readonly baseUrl: string;
  readonly files: Files;
  readonly keywords: KeywordsCalls;
  readonly history: History;
  readonly devices: Devices;

  /** Throws an ArgumentError where there is no key, or an option is wrong. */
  constructor(options: EngramOptions = {}) {
    const runner = new Runner(readSettings(options), createReader(shapes));
    super(runner);
    this.baseUrl = runner.baseUrl;
    this.files = new Files(runner);
    this.keywords = new KeywordsCalls(runner);
    this.history = new History(runner);
    this.devices = new Devices(runner);
  }

  /** Asks a question and returns the answer as it comes. Throws an ArgumentError at once. */
  askStream(text: string, { signal, ...options }: AskOptions & CallOptions = {}): AnswerStream {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const question = { audio: false, ...options, text };
    return new AnswerStream(this.runner.open(search, question, either), this.runner.read, stop);
  }

  /** Transcribes a spoken question of up to 2 minutes and 25 MB. */
  async transcribe(
    recording: Source,
    { name, ...options }: CallOptions & { name?: string } = {},
  ): Promise<string> {
    const part = await partOf({ source: recording, ...(name ? { name } : {}) });
    return (await this.runner.send(transcribe, new Form({}, [part]), options)).text;
  }
}
