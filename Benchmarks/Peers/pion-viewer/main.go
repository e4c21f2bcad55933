// Pion as a viewer: prints its offer as a JSON line, reads the answer as one, counts packets for four seconds.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/pion/webrtc/v3"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pion-viewer:", err)
		os.Exit(1)
	}
}

func main() {
	engine := &webrtc.MediaEngine{}
	fail(engine.RegisterDefaultCodecs())
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	peer, err := webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithSettingEngine(settings)).NewPeerConnection(webrtc.Configuration{})
	fail(err)
	var packets, audio, opened int64
	peer.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		count := &packets
		if track.Kind() == webrtc.RTPCodecTypeAudio {
			count = &audio
		}
		buffer := make([]byte, 1500)
		for {
			if _, _, err := track.Read(buffer); err != nil {
				return
			}
			atomic.AddInt64(count, 1)
		}
	})
	channel, err := peer.CreateDataChannel("oriel", nil)
	fail(err)
	channel.OnOpen(func() { atomic.StoreInt64(&opened, 1) })
	receive := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
	_, err = peer.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo, receive)
	fail(err)
	_, err = peer.AddTransceiverFromKind(webrtc.RTPCodecTypeAudio, receive)
	fail(err)
	offer, err := peer.CreateOffer(nil)
	fail(err)
	done := webrtc.GatheringCompletePromise(peer)
	fail(peer.SetLocalDescription(offer))
	<-done
	line, err := json.Marshal(peer.LocalDescription())
	fail(err)
	fmt.Println(string(line))
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	text, err := input.ReadBytes('\n')
	fail(err)
	var answer webrtc.SessionDescription
	fail(json.Unmarshal(text, &answer))
	fail(peer.SetRemoteDescription(answer))
	time.Sleep(4 * time.Second)
	fmt.Printf("{\"packets\":%d,\"audio\":%d,\"channel\":%v}\n", atomic.LoadInt64(&packets), atomic.LoadInt64(&audio), atomic.LoadInt64(&opened) == 1)
}
