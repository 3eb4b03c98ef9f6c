import { connectToDesk, type DeskConnection } from '../../electron/commands/client.ts';
import { PATIENCE } from '../how-long.ts';

/** A connection to the desk that runs on a folder, as somebody. Throws where there is none. */
export async function connectionTo(folder: string, actor = 'tests'): Promise<DeskConnection> {
  const connection = await connectToDesk(folder, actor, PATIENCE);
  if (connection === null) throw new Error('the desk does not answer');
  return connection;
}
