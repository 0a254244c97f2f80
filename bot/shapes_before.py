"""The shapes that actions had in the first version, whose ids named fields by their places.

Where an action still has its shape, an id of that version means what it meant; else it says that it is old.
This table is history: nothing is added to it.
"""

from __future__ import annotations

from collections.abc import Mapping

_WRITTEN = """
act=ma bag.act=4j bag.draw=el bag.group=dk bag.let=el bag.pass=el bag.peek=el bag.redraw=el book=5n
campaign.adjust=vw campaign.after=qc campaign.bench=ob campaign.buy=jl campaign.confirm=ay
campaign.create=tv campaign.crew=6t campaign.dismiss=wb campaign.edit=lv campaign.end=ay campaign.equip=8d
campaign.join=hh campaign.leader=wb campaign.leave=6t campaign.ledger=66 campaign.line=hi campaign.list=el
campaign.play=cs campaign.schedule=ay campaign.settings=35 campaign.show=ay campaign.standings=7g cb.arc=hf
cb.area=id cb.area.drop=2x cb.breach=dy cb.burn=gt cb.call=bw cb.casualties=el cb.charge=za
cb.charge.blow=3l cb.charge.hits=hr cb.charge.place=l4 cb.check=as cb.climb=hk cb.collide=yv cb.compare=a0
cb.cover=80 cb.crews=o2 cb.defend=np cb.defend-order=qm cb.deploy=el cb.deploy.order=zv cb.disengage=ik
cb.dispute=el cb.douse=ld cb.driven-back=hn cb.edge=99 cb.engage=c0 cb.engulf=99 cb.enter=jz cb.explode=pp
cb.fall=6c cb.field=el cb.fight=3z cb.fire.end=lj cb.fire.start=2l cb.flee=99 cb.free=oj cb.gear=99
cb.gear.along=99 cb.gear.bomb=qc cb.gear.drain=sn cb.gear.give=5m cb.gear.leash=93 cb.gear.pair=kw
cb.gear.show=99 cb.gear.use=q4 cb.hazard=pn cb.height=ux cb.hide=99 cb.hold=y3 cb.hold-back=z9
cb.interrupt=pn cb.jump=8w cb.knocked-into=fh cb.landed=pp cb.leader=2s cb.lend=08 cb.let-come=gz
cb.master=h8 cb.melee=0f cb.melee-odds=qh cb.minder.grip=ur cb.minder.mind=lf cb.move=rl cb.no-leader=e6
cb.nominate=99 cb.overwatch=99 cb.panic=ny cb.placed=de cb.pounce=qv cb.prone=zs cb.psi=bw
cb.psi.feature=nl cb.psi.floor=5e cb.psi.focus=f0 cb.psi.free=ik cb.psi.how=dh cb.psi.know=em
cb.psi.lost=2s cb.psi.order=4p cb.psi.power=nl cb.psi.ultonium=4h cb.rally=bw cb.relic.anew=3g
cb.relic.beacon=2s cb.relic.use=34 cb.reserve=99 cb.score=el cb.score.hunt=41 cb.score.points=nk
cb.score.squares=62 cb.scout=99 cb.seen=2s cb.shoot=l5 cb.snap=vu cb.snap-odds=qh cb.split=6a cb.spot=as
cb.spot.check=xr cb.stand=99 cb.steady=zw cb.step-in=mx cb.strike-back=sg cb.structure=kp
cb.structure.drop=2x cb.table=wx cb.task.drop=xz cb.team=24 cb.template=sv cb.terrain=ho
cb.terrain.piece=t7 cb.treat=kp cb.under=yd cb.upkeep=wf cb.upkeep.ask=zs cb.upkeep.back=3e
cb.upkeep.confirm=el cb.upkeep.correct=x0 cb.upkeep.fled=zw cb.upkeep.odds=7h cb.uplink=bw cb.veh.board=j4
cb.veh.boom=k0 cb.veh.burn=ya cb.veh.crit=ya cb.veh.down=df cb.veh.drive=tq cb.veh.hit=t4 cb.veh.out=gs
cb.veh.points=wc cb.veh.ram=17 cb.veh.wild=df cb.waive=55 cb.wash=99 cb.watch=99 cb.water=yp cb.work=7t
condition.add=8q condition.clear=ux condition.list=el crew.check=0b crew.create=xx crew.disband=ep
crew.dismiss=ap crew.export=l1 crew.import=s1 crew.leader=ap crew.list=el crew.recruit=vy crew.recruits=ma
crew.sheet=ep crew.show=ep crew.trait=21 demo=80 dice.drop=el dice.enter=s7 dice.mode=2w dice.show=el
dice.words=r5 encounter.ask_end=el encounter.end=el encounter.join=rr encounter.next=el
encounter.settings=tm encounter.start=cz encounter.status=el export=el fe.activate=jj fe.add=kl fe.area=fu
fe.attack=ik fe.avoid=91 fe.buff=yq fe.caught=9c fe.chances=6e fe.check=q8 fe.counter=el fe.deck=f0
fe.defend=6z fe.detect=jn fe.dodge=v2 fe.done=el fe.draw=au fe.edges=rx fe.half=vr fe.hand=el fe.hide=ha
fe.interrupt=ha fe.late=nv fe.leave=cd fe.link=y6 fe.morph=y6 fe.morphs=r5 fe.move=2k fe.now=el fe.pass=bb
fe.passby=s6 fe.push=bb fe.redraw=ha fe.reveal=3c fe.select=y6 fe.shift=f0 fe.solo=88 fe.surge=jt
fe.sustain=5q fe.table=7o fe.tokens=el fe.use=3j fe.wait=ha fe.write=43 fresh=an hero.add=jy hero.back=of
hero.discard=ep hero.edit=ap hero.finish=ep hero.new=cw hero.show=ep hero.step=ys hero.take=7y inf.area=qt
inf.aro=9m inf.assault=po inf.cc=32 inf.deployment=el inf.discover=ny inf.dodge=jj inf.f2f=l3 inf.fall=0d
inf.falling=4h inf.first=77 inf.guts=lh inf.heal=6r inf.hide=1a inf.jump=dw inf.lieutenant=99 inf.mine=99
inf.model.add=bc inf.model.recruit=8c inf.order=ac inf.profile.drop=2x inf.profile.export=el
inf.profile.import=r5 inf.profile.list=2x inf.profile.save=tb inf.prone=99 inf.react=f1 inf.reconnect=ih
inf.resolve=dl inf.reveal=99 inf.roll=0g inf.sensor=t8 inf.shoot=ks inf.strategos=qr inf.terrain=za log=zc
mission.captive=11 mission.choose=wd mission.control=lz mission.found=34 mission.places=wa mission.plans=60
mission.reveal=88 mission.salvage=6o mission.score=wd mission.search=19 mission.show=el mission.spring=xd
mission.stop=el mission.subdue=is mission.token=bd mission.trap=ad model.add=qv model.damage=zw
model.equip=wv model.heal=54 model.note=y9 model.owner=xm model.remove=po model.rename=ij model.return=99
model.show=99 redo=8r roll=np sol.add=is sol.attack=1n sol.board=ex sol.body=jw sol.break=uu sol.flip=ag
sol.grapple=9f sol.item=sa sol.light=td sol.look=1g sol.lunge=im sol.move=s4 sol.object=pe sol.pass=ly
sol.place=ft sol.show=pc sol.stand=99 sol.test=a4 sol.turn=ex sol.value=7f sol.write=l2 spoils.build=37
spoils.discard=p3 spoils.improve=d1 spoils.recruit=hu spoils.relic=tl spoils.restart=wh spoils.scouting=xm
spoils.trade=b7 spoils.use=ur spoils.weapon=sr undo=wk upkeep=dh why=99 why.entry=6v wz.activate=m0
wz.add=9s wz.aim=pa wz.attack=ou wz.band=we wz.blast=fx wz.board=ea wz.break=hv wz.channel=dh wz.charge=op
wz.chart=rz wz.command=bk wz.conceal=03 wz.concentrate=99 wz.contact=2p wz.deranged=99 wz.dive=nw
wz.dominate=99 wz.done=el wz.explode=w9 wz.fall=7l wz.fight=j6 wz.gap=32 wz.jump=2j wz.ld=h9 wz.morale=ww
wz.move=l8 wz.nobody=99 wz.presence=24 wz.rally=jg wz.rampage=8b wz.react=e3 wz.reboot=3s wz.shoot=pg
wz.spot=e5 wz.squad=uz wz.starts=e6 wz.storm=sl wz.template=3u wz.terrain=2x wz.wait=99 wz.wake=1x
wz.write=l2
"""

SHAPES_BEFORE: Mapping[str, str] = dict(pair.split("=") for pair in _WRITTEN.split())
"""The stamp of each action's fields as they were."""
