import { mediaTypesText } from '@engram/contract/browser';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const storage: Topic = {
  id: 'storage',
  label: 'File Size Limits & Storage',
  questions: [
    {
      id: 'file-size',
      question: 'How large can a file be?',
      answer: ({ mediaLimitMb, uploadLimitMb }) => (
        <p>
          {mediaTypesText} up to {mediaLimitMb} MB, every other file up to {uploadLimitMb} MB. A
          JPEG or PNG that is larger is shrunk on your device before it is sent.
        </p>
      ),
    },
    {
      id: 'how-much-storage',
      question: 'How much can I keep?',
      answer: () => (
        <p>
          What your plan holds: see <Link to={paths.pricing}>Pricing</Link>. A gigabyte is a billion
          bytes. What counts are your files as you uploaded them, archived ones included; what
          Engram makes of them to search them does not.
        </p>
      ),
    },
    {
      id: 'same-file-twice',
      question: 'Does the same file count twice?',
      answer: () => (
        <p>
          No. The same bytes uploaded again are one file, whatever its name. The upload says so and
          puts the keywords of both together.
        </p>
      ),
    },
    {
      id: 'file-failed',
      question: 'Why did a file fail?',
      answer: () => (
        <p>
          <Link to={paths.files}>Files</Link> says why beside each: password-protected, damaged, or
          of a type that its name does not tell. A failed file can be read again with one button and
          does not hold up the others.
        </p>
      ),
    },
    {
      id: 'zip-files',
      question: 'What happens to zip archives?',
      answer: () => (
        <p>
          Their files are read and cited by their path inside the archive. Archives within archives,
          and those that would unpack to an unreasonable size, are kept within bounds.
        </p>
      ),
    },
    {
      id: 'free-storage',
      question: 'How do I make room?',
      answer: () => (
        <p>
          Delete what you no longer need, one by one or many at once. A deleted file is gone from
          answers with the next question, and from the disk within the hour. Archiving keeps the
          file, and its room, and only leaves it out of searches.
        </p>
      ),
    },
  ],
};
