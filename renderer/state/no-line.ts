/** Nothing can be asked, since there is no line to where it would be answered. */
export class NotConnected extends Error {
  constructor() {
    super('This screen is not connected to the desk.');
    this.name = 'NotConnected';
  }
}
