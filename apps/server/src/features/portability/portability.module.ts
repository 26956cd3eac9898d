import type { Core } from '../../composition/core.ts';
import type { ProfileService } from '../profile/profile.service.ts';
import type { QuestionnaireService } from '../questionnaire/questionnaire.service.ts';
import { createExportService, type PortableServices } from './export.service.ts';
import { createImportService } from './import.service.ts';
import { createPortableProfile } from './portable-profile.ts';

/** Export and import of all data of a user. */
export async function createPortability(
  core: Core,
  given: Omit<PortableServices, 'profile'> & {
    profile: ProfileService;
    questionnaire: QuestionnaireService;
  },
) {
  const profile = createPortableProfile(given.profile, given.questionnaire);
  const services = { ...given, profile };
  const exports = createExportService(core, services);
  const imports = await createImportService(core, services);

  return {
    exports,
    imports,
    async close(): Promise<void> {
      await Promise.all([exports.close(), imports.close()]);
    },
  };
}
