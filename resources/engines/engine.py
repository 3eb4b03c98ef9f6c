# An engine, as short as it can be: it says where the middle of a pair is, four times a second, also to a desk that was started again.
# TOKEN=... PRICES=http://127.0.0.1:8791 CHAIN=1 PAIR=WETH/USDC python3 engine.py
import json, math, os, time, urllib.error, urllib.request

prices = os.environ.get("PRICES", "http://127.0.0.1:8791")
url = prices + "/" + os.environ.get("CHAIN", "1")
headers = {"Authorization": "Bearer " + os.environ.get("TOKEN", "")}

def ask(method, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        return json.load(urllib.request.urlopen(request, timeout=5))
    except urllib.error.HTTPError as refused:
        return json.load(refused)
    except OSError:
        return {"error": "the desk does not answer"}

sequence = ask("GET").get("sequence", 0)
while True:
    mid = "%.2f" % (3411 + math.sin(time.time() / 10))  # your price goes here
    answer = ask("PUT", {"sequence": sequence + 1, "mids": {os.environ.get("PAIR", "WETH/USDC"): mid}})
    print(json.dumps(answer), flush=True)
    sequence = 0 if answer.get("code") == "sequence_gap" else sequence + 1
    time.sleep(0.25)
