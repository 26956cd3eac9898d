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
import type { CallOptions, DeviceName, Ref } from './options.ts';
import { Runner } from './runner.ts';
import { type EngramOptions, readSettings } from './settings.ts';
import { createReader } from './shape.ts';
import { partOf, type Source } from './source.ts';

/** The questions of the user and their answers. */
export class History extends HistoryCalls {
  /** Writes an answer as speech to an MP3 file. Returns its path. In Node only. */
  async audio(entry: Ref, to: string | URL, options: CallOptions = {}): Promise<string> {
    const { destination, save } = await disk();
    const path = await destination(to, `${identifier(entry)}.mp3`);
    const response = await this.runner.run(historyAudio, { id: entry }, options);
    return save(response, path);
  }
}

/** A report. Only the folders are required. */
export type ReportInput = Pick<DeviceReport, 'folders'> & Partial<DeviceReport>;

/** The devices that sync folders. */
export class Devices extends DevicesCalls {
  /** Registers a device. Call it once and store the ID. `version` is the version of your program. */
  async register(
    { name, platform, version }: DeviceName,
    { report, ...options }: CallOptions & { report?: ReportInput } = {},
  ): Promise<Device> {
    return this.runner.run(reportDevice, { name, platform, version, report }, options);
  }

  /**
   * Reports the progress of a device. Returns it with the user's requests, such as a pause. Throws a
   * NotFoundError if the user ended the device.
   */
  async report(
    { id, name, platform, version }: DeviceName & { id: string },
    report?: ReportInput,
    options: CallOptions = {},
  ): Promise<Device> {
    // With an ID the call registers no device, so it may be retried.
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

  /** Throws an ArgumentError if the key is missing or an option is wrong. */
  constructor(options: EngramOptions = {}) {
    const runner = new Runner(readSettings(options), createReader(shapes));
    super(runner);
    this.baseUrl = runner.baseUrl;
    this.files = new Files(runner);
    this.keywords = new KeywordsCalls(runner);
    this.history = new History(runner);
    this.devices = new Devices(runner);
  }

  /** Asks a question and streams the answer. Throws an ArgumentError immediately. */
  askStream(text: string, { signal, ...options }: AskOptions & CallOptions = {}): AnswerStream {
    const stop = new AbortController();
    const signals = AbortSignal.any(signal ? [signal, stop.signal] : [stop.signal]);
    const question = { audio: false, ...options, text };
    return new AnswerStream(this.runner.open(search, question, signals), this.runner.read, stop);
  }

  /** Transcribes a spoken question of up to 2 minutes and 25 MB. */
  async transcribe(
    recording: Source,
    { name, ...options }: CallOptions & { name?: string } = {},
  ): Promise<string> {
    const part = await partOf({ source: recording, ...(name ? { name } : {}) });
    return (await this.runner.send(transcribe, { fields: {}, parts: [part] }, options)).text;
  }
}
