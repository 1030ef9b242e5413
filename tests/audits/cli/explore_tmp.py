import os, time
import pytest
from .test_any_call import *
N=int(os.environ.get("EXPLORE","5")); K=int(os.environ.get("STEP","1")); LOG=open("/tmp/w/rep_explore.log","a")
def test_explore(place, capsys):
    n=0
    for c in LEAVES:
        t=time.process_time(); f=ended(Call((*c.split(),*valid(c))),capsys)
        print("BASE",c,f.code,round(time.process_time()-t,2),repr(f.err[-200:]),repr(f.out[:60]),file=LOG,flush=True)
    i=0
    for T in TARGETS[::K]:
        vals=[("S",s) for s in SETTINGS[:N]] if T.parameter is None else [("F",False),("F",True)] if T.flag else [("V",VALUES[(i*N*3+j*11+int(os.environ.get("OFF","0")))%len(VALUES)]) for j in range(N)]
        i+=1
        depth=len(T.command.split()); base=[*T.command.split(),*valid(T.command)]
        for k,v in vals:
            if k=="S": call=Call(tuple(base),v)
            elif k=="F": call=Call((*base,*[T.parameter]*(1+v)))
            elif T.place is not None:
                kept=list(base); kept[depth+T.place:depth+T.place+1]=[v]; call=Call(tuple(kept))
            else: call=Call((*base,T.parameter,v))
            t=time.process_time()
            try:
                f=ended(call,capsys); c=complaint(call,f,place)
            except BaseException as e:
                if isinstance(e,KeyboardInterrupt): raise
                import traceback; c="RAISED "+repr(e)[:200]+traceback.format_exc()[-600:]; f=None
            dt=time.process_time()-t; n+=1
            if os.environ.get("SHOW") and not i%17: print("  OK",[a[:40] for a in call.arguments], f and (int(f.code),f.err[-150:]),file=LOG)
            if c or dt>1.5: print("BAD" if c else "SLOW",round(dt,2),c,"|",[a[:60] for a in call.arguments],call.setting,"|",f and (int(f.code),f.err[-700:],f.out[:80]),file=LOG,flush=True)
    print("DONE",n,len(TARGETS),time.process_time(),file=LOG,flush=True)
